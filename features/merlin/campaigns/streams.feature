Feature: Histories of streams

  @merlin.slices.complete
  @merlin.aggregate.citations @merlin.aggregate.collected @merlin.aggregate.members @merlin.aggregate.reasoning @merlin.aggregate.signature
  @merlin.aggregate.text @merlin.aggregate.usage @merlin.citations.aggregate @merlin.citations.attachments
  @merlin.citations.cited-once @merlin.citations.documents @merlin.citations.each @merlin.citations.mark @merlin.citations.moment
  @merlin.citations.none @merlin.citations.same-number @merlin.failure.ends @merlin.failure.kept
  @merlin.failure.no-calls @merlin.failure.partial @merlin.failure.stopped @merlin.failure.stopped-end
  @merlin.failure.stopped-partial @merlin.progress.created @merlin.progress.default-version @merlin.progress.done
  @merlin.progress.heading @merlin.progress.icon @merlin.progress.kept @merlin.progress.latest @merlin.progress.latest-new
  @merlin.progress.members @merlin.progress.reopened @merlin.progress.same-step @merlin.progress.status
  @merlin.progress.tags @merlin.progress.v1-event @merlin.progress.values 
  @merlin.slices.content @merlin.slices.init @merlin.slices.length @merlin.slices.no-index @merlin.slices.no-reasoning
  @merlin.tools.assembled @merlin.tools.empty @merlin.tools.every @merlin.tools.order @merlin.tools.shape
  @merlin.tools.unknown @merlin.upstream.calls-cut @merlin.upstream.characters @merlin.upstream.cut
  @merlin.upstream.noise @merlin.wire.blank-line @merlin.wire.body-closes @merlin.wire.cache-control
  @merlin.wire.content-type @merlin.wire.end-data @merlin.wire.end-last @merlin.wire.json @merlin.wire.live
  @merlin.wire.nothing-after @merlin.wire.object @merlin.wire.payload @merlin.wire.unwrapped @merlin.wire.utf8 @must
  @must-not @should @v1 @no-transcript:the-seed-draws-what-is-played
  Rule: Whatever happens in a stream of version 1, it is what the spec says

    Scenario Outline: Any history of <subject> in version 1
      When histories of <subject> in version 1 are drawn and played
      Then nothing was received that the spec rules out

      Examples:
        | subject                |
        | large texts            |
        | long streams           |
        | short streams          |
        | streams at once        |
        | streams that end early |

    Scenario: A model that breaks off behind a bit of everything in version 1
      When this history is played
        """
        a stream of version 1 that begins with {"manager":"V1","attachments":[{"type":"web","url":"a","title":"A"},{"type":"file","url":"b","title":"B"}]}
        3 bytes a piece
        3 texts of astral data of 9 bytes
        1 barriers
        2 citations of plain data of 9 bytes
        2 equal citations of every data of 9 bytes
        2 sentences of framing data of 20 bytes
        2 thoughts of accents data of 9 bytes
        2 steps of plain data of 3 bytes
        3 values of markup data of 9 bytes
        2 ended steps
        1 late tags of plain data of 3 bytes
        1 latest steps
        1 renamings
        2 noises
        1 texts of blank data of 3 bytes
        2 calls in one event of plain data of 9 bytes
        1 usages
        1 aborts
        """
      Then nothing was received that the spec rules out

  @merlin.chunks.complete
  @merlin.aggregate.collected @merlin.aggregate.members @merlin.aggregate.reasoning @merlin.aggregate.signature
  @merlin.aggregate.text @merlin.aggregate.usage @merlin.chunks.empty @merlin.chunks.index
  @merlin.chunks.no-init @merlin.chunks.per-delta @merlin.chunks.reasoning @merlin.chunks.reasoning-empty
  @merlin.chunks.suppressed @merlin.chunks.text @merlin.chunks.thought @merlin.chunks.type @merlin.failure.ends
  @merlin.failure.kept @merlin.failure.no-calls @merlin.failure.partial @merlin.failure.stopped
  @merlin.failure.stopped-end @merlin.failure.stopped-partial @merlin.index.block @merlin.index.floor
  @merlin.index.initial @merlin.index.shared @merlin.index.unchanged @merlin.progress.created @merlin.progress.done
  @merlin.progress.icon @merlin.progress.index @merlin.progress.kept @merlin.progress.latest @merlin.progress.latest-new
  @merlin.progress.members @merlin.progress.numbered @merlin.progress.no-heading @merlin.progress.reopened @merlin.progress.same-step
  @merlin.progress.status @merlin.progress.tags @merlin.progress.tags-kept @merlin.progress.v2-message
  @merlin.progress.values @merlin.subagents.hidden @merlin.subagents.index @merlin.subagents.once
  @merlin.subagents.order @merlin.subagents.partial @merlin.subagents.result @merlin.subagents.same
  @merlin.tools.assembled @merlin.tools.empty @merlin.tools.every @merlin.tools.order @merlin.tools.shape
  @merlin.tools.unknown @merlin.upstream.calls-cut @merlin.upstream.characters @merlin.upstream.cut
  @merlin.upstream.noise @merlin.wire.blank-line @merlin.wire.body-closes @merlin.wire.cache-control
  @merlin.wire.content-type @merlin.wire.end-data @merlin.wire.end-last @merlin.wire.json @merlin.wire.live
  @merlin.wire.nothing-after @merlin.wire.object @merlin.wire.unwrapped @merlin.wire.utf8 @must @must-not @should @v2
  @no-transcript:the-seed-draws-what-is-played
  Rule: Whatever happens in a stream of version 2, it is what the spec says

    Scenario Outline: Any history of <subject> in version 2
      When histories of <subject> in version 2 are drawn and played
      Then nothing was received that the spec rules out

      Examples:
        | subject                |
        | large texts            |
        | long streams           |
        | short streams          |
        | streams at once        |
        | streams that end early |

    Scenario: A user who stops behind a bit of everything in version 2
      When this history is played
        """
        a stream of version 2 that begins with {"globalIndex":3,"eventManagerIndex":5,"manager":"V2"}
        1 bytes a piece
        3 texts of astral data of 9 bytes
        2 empty texts
        1 barriers
        2 thoughts of every data of 9 bytes
        2 bare thoughts
        1 results of accents data of 9 bytes
        1 handoffs
        2 equal texts of framing data of 9 bytes
        1 hidden results of plain data of 3 bytes
        1 results side by side of plain data of 3 bytes
        2 twin steps of plain data of 3 bytes
        3 values of markup data of 9 bytes
        2 tags of plain data of 3 bytes
        2 ended steps
        2 calls of number-like data of 9 bytes
        1 stray calls
        1 bare calls
        2 noises
        2 usages
        1 texts of blank data of 3 bytes
        1 stops
        2 texts of plain data of 3 bytes
        """
      Then nothing was received that the spec rules out
