Feature: Sub-agents

  @merlin.subagents.partial @must @v2
  Rule: Pieces are results

    Scenario: A sub-agent that speaks
      When a client requests a V2 stream of:
        """
        the sub-agent 0 sends the text "It is "
        the sub-agent 0 sends the text "far."
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
        the global index is 4
        the model sends the text "Let me ask."
        the sub-agent 2 sends the text "It is "
        the sub-agent 2 sends the text "very "
        the sub-agent 2 sends the text "far."
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
        the tool find_route returns "463 km" to call_7, of index 1
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
        the tool ask returns "a" to call_1, of index 0
        the tool ask returns "b" to call_2, of index 1
        the model sends the text "So."
        the tool ask returns "c" to call_3, of index 2
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
        the sub-agent 0 sends the text "It is "
        the sub-agent 0 sends the text "far."
        the tool ask returns "It is far." to call_1, of index 0
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
        the sub-agent 0 sends the text "one "
        the sub-agent 1 sends the text "two "
        the sub-agent 0 sends the text "three"
        the tool ask returns "one three" to call_1, of index 0
        the sub-agent 1 sends the text "four"
        the tool ask returns "two four" to call_2, of index 1
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
        the suppressed sub-agent 0 sends the text "SECRET "
        the tool ask returns "far" to call_1, of index 0
        the model sends the text "Done."
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
        the sub-agent 0 sends the reasoning "PONDER" of index 0
        the sub-agent 0 sends the text "far"
        """
      Then the stream sends:
        """
        message {"type": "toolCallResult", "toolCallResult": {"index": 0, "delta": "far"}}
        """
      And the stream holds nothing of "PONDER"
