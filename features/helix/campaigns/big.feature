Feature: Big streams and limits

  @helix.lifecycle.independent-readers @helix.chunks.no-merge @helix.chunks.strings-exact @helix.chunks.types
  @helix.lifecycle.body-closes @helix.lifecycle.end @helix.lifecycle.fail @helix.lifecycle.finished-replay
  @helix.lifecycle.late-reader @helix.lifecycle.live @helix.lifecycle.reader-disconnect
  @helix.lifecycle.slow-reader @helix.lifecycle.stalled-reader @helix.lifecycle.terminal-last-chunks
  @helix.ordering.ascending @helix.ordering.distinct-sequences @helix.ordering.total-order
  @helix.resume.after-cursor @helix.resume.at-latest @helix.resume.complete @helix.resume.cycles
  @helix.resume.finished-tail @helix.resume.header-wins @helix.resume.query @helix.resume.stable
  @helix.status.count @helix.status.latest @helix.wire.chunk-id @helix.wire.sequence @must @must-not
  @no-transcript:thousands-of-events
  Rule: Nothing is lost of what is long, large, slowly read or left by hundreds, and what is refused takes nothing with it

    Scenario Outline: A history of <subject>
      When histories of <subject> are drawn and played
      Then nothing was received that the spec rules out

      Examples:
        | subject                      |
        | a stream of 5,000 events     |
        | a stream of large chunks     |
        | a stream with slow readers   |
        | a stream that hundreds leave |
        | a stream at its limits       |
        | a stream that much is done to |
