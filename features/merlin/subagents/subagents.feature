Feature: Sub-agents

  @merlin.subagents.partial @must @v2
  Rule: Pieces are results

    Scenario: A sub-agent that speaks
      When a client requests a V2 stream of:
        """
        [{"subagent": {"index": 0, "acts": [{"delta": {"content": "It is "}}, {"delta": {"content": "far."}}]}}]
        """
      Then the stream sends:
        """
        message {"type": "toolCallResult", "toolCallResult": {"index": 0, "delta": "It is "}}
        message {"type": "toolCallResult", "toolCallResult": {"index": 0, "delta": "far."}}
        """
      And no exchange of this scenario breaks this rule

  @merlin.subagents.index @must @v2
  Rule: Pieces have the index of the parent

    Scenario: The indexes of pieces
      When a client requests a V2 stream of:
        """
        {"globalIndex": 4,
         "acts": [{"delta": {"content": "Let me ask."}},
                  {"subagent": {"index": 2, "acts": [
                    {"delta": {"content": "It is "}},
                    {"delta": {"content": "very "}},
                    {"delta": {"content": "far."}}]}}]}
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "Let me ask.", "index": 4}
        message {"type": "toolCallResult", "index": 4, "toolCallResult": {"index": 2, "delta": "It is "}}
        message {"type": "toolCallResult", "index": 4, "toolCallResult": {"index": 2, "delta": "very "}}
        message {"type": "toolCallResult", "index": 4, "toolCallResult": {"index": 2, "delta": "far."}}
        """
      And no exchange of this scenario breaks this rule

  @merlin.subagents.result @must @v2
  Rule: The whole result is sent

    Scenario: A result without pieces
      When a client requests a V2 stream of:
        """
        [{"toolResult": {"index": 1, "result": "463 km", "toolCallId": "call_7", "name": "find_route"}}]
        """
      Then the stream sends:
        """
        message {"type": "toolCallResult", "toolCallResult": {"index": 1, "result": "463 km", "toolCallId": "call_7", "function": {"name": "find_route"}}}
        """
      And no exchange of this scenario breaks this rule

  @merlin.subagents.once @must-not @v2
  Rule: The whole result comes once

    Scenario: Three results
      When a client requests a V2 stream of:
        """
        [{"toolResult": {"index": 0, "result": "a", "toolCallId": "call_1", "name": "ask"}},
         {"toolResult": {"index": 1, "result": "b", "toolCallId": "call_2", "name": "ask"}},
         {"delta": {"content": "So."}},
         {"toolResult": {"index": 2, "result": "c", "toolCallId": "call_3", "name": "ask"}}]
        """
      Then the stream sends:
        """
        message {"type": "toolCallResult", "toolCallResult": {"index": 0, "result": "a", "toolCallId": "call_1", "function": {"name": "ask"}}}
        message {"type": "toolCallResult", "toolCallResult": {"index": 1, "result": "b", "toolCallId": "call_2", "function": {"name": "ask"}}}
        message {"type": "text", "text": "So."}
        message {"type": "toolCallResult", "toolCallResult": {"index": 2, "result": "c", "toolCallId": "call_3", "function": {"name": "ask"}}}
        """
      And no exchange of this scenario breaks this rule

  @merlin.subagents.same @must @v2
  Rule: Pieces add up to the result

    Scenario: Pieces and the whole
      When a client requests a V2 stream of:
        """
        [{"subagent": {"index": 0, "acts": [{"delta": {"content": "It is "}}, {"delta": {"content": "far."}}]}},
         {"toolResult": {"index": 0, "result": "It is far.", "toolCallId": "call_1", "name": "ask"}}]
        """
      Then the stream sends:
        """
        message {"type": "toolCallResult", "toolCallResult": {"index": 0, "delta": "It is "}}
        message {"type": "toolCallResult", "toolCallResult": {"index": 0, "delta": "far."}}
        message {"type": "toolCallResult", "toolCallResult": {"index": 0, "result": "It is far.", "toolCallId": "call_1", "function": {"name": "ask"}}}
        """
      And no exchange of this scenario breaks this rule

  @merlin.subagents.order @must @v2
  Rule: The whole comes last

    Scenario: Pieces of two sub-agents
      When a client requests a V2 stream of:
        """
        [{"subagent": {"index": 0, "acts": [{"delta": {"content": "one "}}]}},
         {"subagent": {"index": 1, "acts": [{"delta": {"content": "two "}}]}},
         {"subagent": {"index": 0, "acts": [{"delta": {"content": "three"}}]}},
         {"toolResult": {"index": 0, "result": "one three", "toolCallId": "call_1", "name": "ask"}},
         {"subagent": {"index": 1, "acts": [{"delta": {"content": "four"}}]}},
         {"toolResult": {"index": 1, "result": "two four", "toolCallId": "call_2", "name": "ask"}}]
        """
      Then the stream sends:
        """
        message {"type": "toolCallResult", "toolCallResult": {"index": 0, "delta": "one "}}
        message {"type": "toolCallResult", "toolCallResult": {"index": 1, "delta": "two "}}
        message {"type": "toolCallResult", "toolCallResult": {"index": 0, "delta": "three"}}
        message {"type": "toolCallResult", "toolCallResult": {"index": 0, "result": "one three", "toolCallId": "call_1", "function": {"name": "ask"}}}
        message {"type": "toolCallResult", "toolCallResult": {"index": 1, "delta": "four"}}
        message {"type": "toolCallResult", "toolCallResult": {"index": 1, "result": "two four", "toolCallId": "call_2", "function": {"name": "ask"}}}
        """
      And no exchange of this scenario breaks this rule

  @merlin.subagents.hidden @must-not @v2
  Rule: A suppressed sub-agent is not heard

    Scenario: A suppressed sub-agent
      When a client requests a V2 stream of:
        """
        [{"subagent": {"index": 0, "acts": [{"delta": {"content": "SECRET "}}], "suppress": true}},
         {"toolResult": {"index": 0, "result": "far", "toolCallId": "call_1", "name": "ask"}},
         {"delta": {"content": "Done."}}]
        """
      Then the stream sends:
        """
        message {"type": "toolCallResult", "toolCallResult": {"index": 0, "result": "far", "toolCallId": "call_1", "function": {"name": "ask"}}}
        message {"type": "text", "text": "Done."}
        """
      And the stream holds nothing of "SECRET"

  @merlin.subagents.reasoning @should-not @v2
  Rule: Thoughts of a sub-agent are kept

    Scenario: A sub-agent that thinks
      When a client requests a V2 stream of:
        """
        [{"subagent": {"index": 0, "acts": [{"delta": {"reasoning": {"text": "PONDER", "index": 0}}}, {"delta": {"content": "far"}}]}}]
        """
      Then the stream sends:
        """
        message {"type": "toolCallResult", "toolCallResult": {"index": 0, "delta": "far"}}
        """
      And the stream holds nothing of "PONDER"
