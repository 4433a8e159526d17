Feature: Histories of chats

  @helix-ui.text.whole
  @helix-ui.errors.told @helix-ui.flow.closes @helix-ui.flow.done-last @helix-ui.flow.finish
  @helix-ui.flow.finish-last @helix-ui.flow.start @helix-ui.flow.start-once @helix-ui.mapping.agents
  @helix-ui.mapping.chunks @helix-ui.metadata.absent @helix-ui.metadata.computed @helix-ui.metadata.finish
  @helix-ui.metadata.start @helix-ui.parts.data @helix-ui.parts.known @helix-ui.parts.members @helix-ui.parts.object
  @helix-ui.parts.optional @helix-ui.reasoning.apart @helix-ui.reasoning.closed @helix-ui.reasoning.opened
  @helix-ui.reasoning.step @helix-ui.reasoning.unique @helix-ui.reasoning.whole @helix-ui.steps.closed
  @helix-ui.steps.opened @helix-ui.text.closed @helix-ui.text.live @helix-ui.text.opened @helix-ui.text.step
  @helix-ui.text.unique @helix-ui.tools.arguments @helix-ui.tools.closed @helix-ui.tools.failure @helix-ui.tools.name
  @helix-ui.tools.once @helix-ui.tools.opened @helix-ui.tools.output-once @helix-ui.tools.result
  @helix-ui.tools.started @helix-ui.waiting.approved @helix-ui.waiting.client-tools @helix-ui.waiting.denied @helix-ui.waiting.message
  @helix-ui.waiting.requested @helix-ui.waiting.unrun @helix-ui.wire.blank-line @helix-ui.wire.content-type @helix-ui.wire.framing @helix-ui.wire.utf8 @must
  @must-not @no-transcript:the-seed-draws-what-is-played
  Rule: Whatever an agent says and does, its answer is what the spec says

    Scenario Outline: Any history of <subject>
      When histories of <subject> are drawn and played
      Then nothing was received that the spec rules out

      Examples:
        | subject       |
        | large values  |
        | long chats    |
        | long turns    |
        | short turns   |
        | several chats |

  @helix-ui.resume.after
  @helix-ui.history.calls @helix-ui.history.failed @helix-ui.history.whole @helix-ui.replay.once @helix-ui.requests.credential @helix-ui.requests.refused
  @helix-ui.resume.ascending @helix-ui.resume.goes-on @helix-ui.resume.ids @helix-ui.resume.message-id
  @helix-ui.resume.nothing @helix-ui.resume.same-message @must @must-not @resume @no-transcript:the-seed-draws-what-is-played
  Rule: Whoever reads an answer, whenever they come, gets what the spec says

    Scenario: Any history of similar names
      When histories of similar names are drawn and played
      Then nothing was received that the spec rules out

    Scenario: Any history of pages and readers
      When histories of pages and readers are drawn and played
      Then nothing was received that the spec rules out

    Scenario: Readers of a chat of three turns
      When this history is played
        """
        a turn of chat 1
        1 user texts of astral data of 9 bytes
        3 texts of plain data of 9 bytes
        1 refreshes
        1 halved thoughts of plain data of 9 bytes
        2 twins
        2 calls side by side of plain data of 9 bytes
        2 returns
        1 texts of framing data of 9 bytes
        1 failures
        a turn of chat 1
        1 start metadata of plain data of 3 bytes
        1 refusals
        2 texts of accents data of 9 bytes
        1 absences
        2 texts of blank data of 9 bytes
        1 departures
        1 texts of plain data of 9 bytes
        1 interruptions
        a turn of chat 1
        1 finish metadata of plain data of 3 bytes
        2 texts of markup data of 9 bytes
        2 refreshes
        1 texts of plain data of 9 bytes
        2 sweeps
        beside it a turn of chat 2
        1 approvals
        """
      Then nothing was received that the spec rules out
