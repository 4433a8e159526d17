Feature: Steps

  @helix-ui.steps.opened @must-not
  Rule: What ends has begun

    Scenario: Steps of a call and a text
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"text": "Sunny, they say."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "start-step"},
         {"type": "finish-step"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.steps.nested @should-not
  Rule: Steps follow each other

    Scenario: One step after the other
      When a request with this script:
        """
        [{"text": "Look:"}, {"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"text": "Sunny, it seems."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "start-step"},
         {"type": "finish-step"},
         {"type": "finish"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.steps.closed @must
  Rule: A step finishes before the message does

    Scenario: The last step
      When a request with this script:
        """
        [{"text": "One step."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "start-step"},
         {"type": "finish-step"},
         {"type": "finish"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.steps.tool-turn @should
  Rule: What the model says after a tool is another step

    Scenario: A text after a tool
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"text": "Sunny, I hear."}]
        """
      Then the text stands in a later step than the call
