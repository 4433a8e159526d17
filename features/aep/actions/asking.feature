Feature: Asking the client

  @aep.actions.members @must @actions
  Rule: A continuation says what is asked

    Scenario: Asking for consent and for nothing in particular
      When a request with this script:
        """
        [{"continue": {"kind": "approval", "payload": {"question": "Book it?", "price": 12.5}}}, {"continue": {"kind": "input", "payload": {"q": 1}}}, {"continue": {"kind": "ping", "payload": null}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.actions.unchanged @must @actions
  Rule: What is asked arrives as it was meant

    Scenario Outline: Asking with the payload <payload>
      When a request with this script:
        """
        [{"continue": {"kind": <kind>, "payload": <payload>}}]
        """
      Then the response has a continuation for [{"kind": <kind>, "payload": <payload>}]

      Examples:
        | kind           | payload                                       |
        | "approval"     | {"question": "Book it?", "price": 12.5, "options": ["yes", "no", null]} |
        | "tool"         | {"name": "camera", "arguments": {}}           |
        | "x-of-our-own" | null                                          |
        | "input"        | "Name?"                                       |
        | "input"        | [1, {"two": []}]                              |

    Scenario: Asking for two things
      When a request with this script:
        """
        [{"continue": {"kind": "approval", "payload": true}}, {"continue": {"kind": "input", "payload": "Name?"}}]
        """
      Then the response has a continuation for [{"kind": "approval", "payload": true}, {"kind": "input", "payload": "Name?"}]

  @aep.actions.pauses @must @actions
  Rule: A response doesn't wait for the client

    Scenario: The end of a response that asks
      When a request with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      Then the response ends with done after a continuation

  @aep.actions.action-required @must @actions
  Rule: Done says that the client has to act

    Scenario: The reason of a response that asks
      When a request with this script:
        """
        [{"text": "One more thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      Then the finish reason of the response is "action_required"
      And no exchange of this scenario breaks this rule

    Scenario: The reason of a response that asks twice
      When a request with this script:
        """
        [{"continue": {"kind": "approval", "payload": true}}, {"continue": {"kind": "input", "payload": "Name?"}}]
        """
      Then the finish reason of the response is "action_required"

  @aep.actions.unique @should @actions
  Rule: Every action has an id of its own

    Scenario: Two actions in a response and one in the next
      Given request "one" with this script:
        """
        [{"continue": {"kind": "approval", "payload": true}}, {"continue": {"kind": "input", "payload": "Name?"}}]
        """
      And request "one" has been answered
      When request "two" with this script:
        """
        [{"continue": {"kind": "approval", "payload": true}}]
        """
      Then every action has an id of its own
      And no exchange of this scenario breaks this rule
