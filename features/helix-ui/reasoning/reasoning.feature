@reasoning
Feature: Reasoning

  @helix-ui.reasoning.opened @must
  Rule: A thought starts before it grows

    Scenario: A thought of some words
      When a request with this script:
        """
        [{"thinking": "one two three"}, {"text": "Four."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "reasoning-start"},
         {"type": "reasoning-delta"},
         {"type": "reasoning-end"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.reasoning.closed @must
  Rule: A thought ends

    Scenario: A thought that a text follows
      When a request with this script:
        """
        [{"thinking": "it is far"}, {"text": "It is far."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "reasoning-start"},
         {"type": "reasoning-end"},
         {"type": "finish"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.reasoning.unique @must-not
  Rule: Thoughts that are open have ids of their own

    Scenario: Two thoughts of one response
      When a request with this script:
        """
        [{"thinking": "so and so"}, {"text": "Hm."}, {"thinking": "or so"}, {"text": "Yes."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "reasoning-start"},
         {"type": "reasoning-end"},
         {"type": "reasoning-start"},
         {"type": "reasoning-end"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.reasoning.step @must
  Rule: A thought ends with its step

    Scenario: A thought that ends a step
      When a request with this script:
        """
        [{"text": "Well."}, {"thinking": "let me see"}]
        """
      Then the response has these parts in order:
        """
        [{"type": "reasoning-start"},
         {"type": "reasoning-end"},
         {"type": "finish-step"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.reasoning.whole @must
  Rule: Deltas add up to what the model thinks

    Scenario: A thought with spaces around it
      When a request with this script:
        """
        [{"thinking": " hm hm hm "}, {"text": "It is 42."}]
        """
      Then the response has the reasoning " hm hm hm ", or none

    Scenario: A thought after a text
      When a request with this script:
        """
        [{"text": "Well."}, {"thinking": "so be it"}, {"text": "Yes."}]
        """
      Then the response has the reasoning "so be it", or none

  @helix-ui.reasoning.apart @must-not
  Rule: No text holds a thought

    Scenario: A thought before a text
      When a request with this script:
        """
        [{"thinking": "hmhmhm"}, {"text": "It is 42."}]
        """
      Then no text of the response holds "hmhmhm"
