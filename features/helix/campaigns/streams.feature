Feature: Histories of streams

  @helix.lifecycle.late-reader @helix.http.unknown-stream @helix.resume.beyond-latest @helix.resume.invalid-cursor
  @helix.resume.large-cursor @helix.resume.padded-cursor @helix.status.info-unknown @helix.chunks.agent-id @helix.chunks.agent-type @helix.chunks.timestamp
  @helix.chunks.all-or-nothing @helix.chunks.invalid-refused @helix.chunks.unknown-type @helix.chunks.any-value @helix.chunks.integers-exact @helix.chunks.no-merge
  @helix.chunks.nulls-kept @helix.chunks.object @helix.chunks.strings-exact @helix.chunks.types
  @helix.chunks.unknown-members @helix.errors.fail-code @helix.lifecycle.body-closes @helix.lifecycle.closed-writer
  @helix.lifecycle.empty-stream @helix.lifecycle.end @helix.lifecycle.fail @helix.lifecycle.final-output
  @helix.lifecycle.finished-replay @helix.lifecycle.first-terminal-wins @helix.lifecycle.independent-readers
  @helix.lifecycle.live @helix.lifecycle.many-writers @helix.lifecycle.no-chunk-after-end
  @helix.lifecycle.one-terminal @helix.lifecycle.reader-disconnect @helix.lifecycle.slow-reader
  @helix.lifecycle.terminal-last-chunks @helix.lifecycle.write-after-end @helix.lifecycle.writer-close
  @helix.lifecycle.writer-creates @helix.ordering.ascending @helix.ordering.at-least-one
  @helix.ordering.distinct-sequences @helix.ordering.total-order @helix.ordering.write-order
  @helix.resume.after-cursor @helix.resume.at-latest
  @helix.resume.complete @helix.resume.cycles @helix.resume.finished-tail @helix.resume.header-wins
  @helix.resume.no-content @helix.resume.paused @helix.resume.query @helix.resume.removed-cursor @helix.resume.stable
  @helix.resume.zero @helix.security.credential @helix.security.isolation @helix.snapshot.document @helix.snapshot.exact
  @helix.snapshot.sequence @helix.snapshot.status @helix.status.attach-paused @helix.status.count @helix.status.final @helix.status.frames
  @helix.status.info-members @helix.status.info-word @helix.status.latest @helix.status.no-id
  @helix.status.no-terminal @helix.status.not-stored @helix.status.transitions @helix.status.written-while-paused
  @helix.truncation.count-after @helix.truncation.covers-delivered @helix.truncation.goes-on
  @helix.truncation.in-flight @helix.truncation.keeps @helix.truncation.keeps-stepless @helix.truncation.latest-kept
  @helix.truncation.no-reuse @helix.truncation.not-later @helix.truncation.not-numbered @helix.truncation.notifies
  @helix.truncation.removed-on-resume @helix.truncation.removes @helix.truncation.reset-empties
  @helix.truncation.reset-notifies @helix.truncation.reset-reopens @helix.truncation.reset-sequence
  @helix.truncation.stays-active @helix.truncation.step @helix.wire.chunk-id @helix.wire.content-type
  @helix.wire.head @helix.wire.json @helix.wire.sequence @helix.wire.stays-open @helix.wire.terminal-id
  @must @must-not @should @no-transcript:the-seed-draws-what-is-played
  Rule: Whatever is done to a stream, its readers receive what the spec says

    Scenario Outline: Any history of <subject>
      When histories of <subject> are drawn and played
      Then nothing was received that the spec rules out

      Examples:
        | subject                              |
        | a stream                             |
        | a stream that begins again and again |
        | a long stream                        |
        | a stream that holds data             |
        | a stream that many read              |
        | streams with ids that are alike      |
        | unusual cursors, cuts and deletions  |
        | writers and readers that race        |

    Scenario: Readers of every kind, a cleanup during a pause and a reset
      When this history is played
        """
        2 streams with prefix ids
        writer 1 writes 12 chunks of mixed steps, plain data of 40 bytes, 12 at a time
        on stream 2, writer 1 writes 3 chunks of no step, number-like data of 20 bytes
        reader 1 attaches
        reader 2 resumes after event 5 by query
        reader 3 attaches over gzip
        a pause
        reader 4 resumes at the latest by both over HTTP/2
        writer 2 writes 2 chunks of step 3, any data of 1 bytes
        a cleanup to step 1
        reader 5 attaches and stalls
        the pause is over
        reader 1 leaves with everything
        writer 1 writes 1 chunk of step 2, blank data of 1 bytes
        reader 1 resumes where it was
        a cleanup to step 0
        StreamInfo is asked for
        a snapshot is asked for
        a reset
        writer 1 writes 2 chunks of step 9, plain data of 1 bytes
        8 readers come and leave at once
        writer 1 is closed
        reader 6 receives what is due
        it fails with accents data
        on stream 2, it ends with astral data
        """
      Then nothing was received that the spec rules out

    Scenario: Writers and readers at once
      When this history is played
        """
        1 stream
        writer 1 writes 2 chunks of mixed steps, plain data of 20 bytes
        reader 1 attaches
        3 writers write 6 chunks each at once beside 4 readers
        2 writers write 6 chunks each at once, 2 at a time beside 4 readers, and it is cleaned up to step 1 meanwhile
        reader 1 resumes where it was
        4 writers write 5 chunks each at once beside 3 readers, and it is reset meanwhile
        4 writers write 6 chunks each at once, 3 at a time beside 5 readers, and it is ended and failed meanwhile
        """
      Then nothing was received that the spec rules out

    Scenario: Cursors that nobody gave out, a cut in a frame and a deletion
      When this history is played
        """
        1 stream
        writer 1 writes 12 chunks of mixed steps, plain data of 40 bytes
        reader 1 attaches
        reader 1 leaves with everything
        a reader comes with a cursor that is a-word, after event 3 by both
        a reader comes with a cursor that is with-zeros, after event 11
        a reader comes with a cursor that is beyond-all, after event 1 by query
        a reader comes with a cursor that is of-64-bits, after event 1
        a reader comes with a cursor that is empty, after event 1
        a cleanup to step 1
        a pause
        a reader comes with a cursor that is negative, after event 4 by query
        the pause is over
        reader 2 is cut after 1100 bytes, and resumes
        it ends with plain data
        a reader comes with a cursor that is of-digits, after event 1 by query
        it is deleted, and made again
        writer 1 writes 3 chunks of no step, plain data of 20 bytes
        reader 1 attaches
        """
      Then nothing was received that the spec rules out
