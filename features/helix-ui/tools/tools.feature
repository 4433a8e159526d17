Feature: Tool calls

  @helix-ui.tools.opened @must
  Rule: A call is known before anything comes of it

    Scenario: Two calls one after the other
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"tool": {"name": "weather", "arguments": {"city": "Oslo"}, "result": {"sky": "grey"}}}, {"text": "Sunny, then grey."}]
        """
      Then the response has the text "Sunny, then grey."
      And no exchange of this scenario breaks this rule

  @helix-ui.tools.started @must
  Rule: The input of a call starts before it grows

    Scenario: An input in pieces
      When a request with this script:
        """
        [{"part": {"type": "tool-input-start", "toolCallId": "c1", "toolName": "weather"}}, {"part": {"type": "tool-input-delta", "toolCallId": "c1", "inputTextDelta": "{\"city\":"}}, {"part": {"type": "tool-input-delta", "toolCallId": "c1", "inputTextDelta": "\"Rome\"}"}}, {"part": {"type": "tool-input-available", "toolCallId": "c1", "toolName": "weather", "input": {"city": "Rome"}}}, {"part": {"type": "tool-output-available", "toolCallId": "c1", "output": "sunny"}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "tool-input-start"},
         {"type": "tool-input-delta"}]
        """
      And no exchange of this scenario breaks this rule

    Scenario: A call that a model makes
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "start"},
         {"type": "finish"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.tools.once @must-not
  Rule: A call has one input

    Scenario: The input of a call
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"text": "Sunny there."}]
        """
      Then the response has the text "Sunny there."
      And no exchange of this scenario breaks this rule

  @helix-ui.tools.output-once @must-not
  Rule: A call has one output

    Scenario: The output of a call
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"text": "Sunny here."}]
        """
      Then the response has the text "Sunny here."
      And no exchange of this scenario breaks this rule

  @helix-ui.tools.arguments @must
  Rule: The input is what the model gave

    Scenario: An input with all types
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome", "days": [1, 2.5, null], "exact": true}, "result": {"sky": "sunny"}}}, {"text": "Sunny."}]
        """
      Then the response calls "weather" with the input {"city": "Rome", "days": [1, 2.5, null], "exact": true}

  @helix-ui.tools.result @must
  Rule: The output is what the tool returned

    Scenario: An output with all types
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny", "degrees": [21.5, null], "now": true}}}, {"text": "Sunny."}]
        """
      Then the call returns {"sky": "sunny", "degrees": [21.5, null], "now": true}

  @helix-ui.tools.failure @must
  Rule: A tool that fails is said to

    Scenario: A tool that fails
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Atlantis"}, "error": "no such city"}}, {"text": "I don't know."}]
        """
      Then the call fails, and the response ends with finish

  @helix-ui.tools.bad-arguments @should
  Rule: Arguments that can't be read are said to be wrong

    Scenario: Arguments that are cut off
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": "{\"city\":"}}, {"text": "Hm."}]
        """
      Then the input of the call is said to be wrong, and the response ends with finish

  @helix-ui.tools.closed @must
  Rule: A call returns before finish

    Scenario: Two calls that return
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"tool": {"name": "weather", "arguments": {"city": "Oslo"}, "result": {"sky": "grey"}}}, {"text": "Sunny, then grey."}]
        """
      Then the response has the text "Sunny, then grey."
      And no exchange of this scenario breaks this rule

    @mapping
    Scenario: A call that nothing ends
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"chunk": {"type": "tool_start", "toolCallId": "c1", "toolName": "find_route", "arguments": {"to": "Bergen"}}}, {"text": "On the way."}]
        """
      Then the response has the text "On the way."
      And no exchange of this scenario breaks this rule

  @helix-ui.tools.name @must
  Rule: A call keeps its tool

    Scenario: The tool of a call
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"text": "Sunny now."}]
        """
      Then the response has the text "Sunny now."
      And no exchange of this scenario breaks this rule
