Feature: Texts

  @helix-ui.text.opened @must
  Rule: A text starts before it grows

    Scenario: A text of some words
      When a request with this script:
        """
        [{"text": "One two three four."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "text-start"},
         {"type": "text-delta"},
         {"type": "text-end"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.text.closed @must
  Rule: A text ends

    Scenario: A text that a tool follows
      When a request with this script:
        """
        [{"text": "Let me see."}, {"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "text-start"},
         {"type": "text-end"},
         {"type": "finish"}]
        """
      And no exchange of this scenario breaks this rule

    Scenario: A text that ends the response
      When a request with this script:
        """
        [{"text": "Goodbye."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "text-start"},
         {"type": "text-end"},
         {"type": "finish"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.text.unique @must-not
  Rule: Texts that are open have ids of their own

    Scenario: Two texts of one response
      When a request with this script:
        """
        [{"text": "First this."}, {"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"text": "Then that."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "text-start"},
         {"type": "text-end"},
         {"type": "text-start"},
         {"type": "text-end"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.text.step @must
  Rule: A text ends with its step

    Scenario: A text in the first of two steps
      When a request with this script:
        """
        [{"text": "Let me look."}, {"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"text": "Here it is."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "text-start"},
         {"type": "text-end"},
         {"type": "finish-step"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.text.whole @must
  Rule: Deltas add up to what the model says

    Scenario: A text with spaces around it
      When a request with this script:
        """
        [{"text": "  Hello there, you. "}]
        """
      Then the response has the text "  Hello there, you. "

    Scenario: Texts around a call
      When a request with this script:
        """
        [{"text": "Let me see. "}, {"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"text": "It is sunny."}]
        """
      Then the response has the text "Let me see. It is sunny."

    Scenario: A text in many scripts
      When a request with this script:
        """
        [{"text": "blåbær, 日本語, שלום, 😀"}]
        """
      Then the response has the text "blåbær, 日本語, שלום, 😀"

  @helix-ui.text.live @must
  Rule: A delta comes when it is said

    Scenario: A text while the agent waits
      When a request with this script:
        """
        [{"text": "One. "}, {"await": "b"}, {"text": "Two."}]
        """
      Then the response has the text "One. " so far

    Scenario: Each piece while the agent waits
      Given a request with this script:
        """
        [{"text": "One. "}, {"await": "one"}, {"text": "Two. "}, {"await": "two"}, {"text": "Three."}]
        """
      And the response has the text "One. " so far
      When the agent passes "one"
      Then the response has the text "One. Two. " so far
