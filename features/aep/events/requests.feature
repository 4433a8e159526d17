Feature: Events belong to a request

  @aep.events.request-id @must
  Rule: An event names its request

    Scenario: A thought, a text and a failure
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "Let me see."}, {"fail": "agent_error"}]
        """
      Then the response ends with error
      And no exchange of this scenario breaks this rule

  @aep.events.same-request @must
  Rule: A response is about one request

    Scenario: Two responses in a row
      Given request "one" with this script:
        """
        [{"text": "First."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon"}}]
        """
      And request "one" has been answered
      When request "two" with this script:
        """
        [{"text": "Second."}]
        """
      Then the response to request "two" ends with done
      And no exchange of this scenario breaks this rule

    @threads
    Scenario: Two responses on one thread
      Given request "one" with this script:
        """
        [{"text": "First."}]
        """
      And request "one" has been answered
      When request "two" on the same thread with this script:
        """
        [{"text": "Second."}]
        """
      Then the response to request "two" ends with done
      And no exchange of this scenario breaks this rule

  @aep.events.unique-request @must
  Rule: Every request has an id of its own

    Scenario: Asking twice
      Given request "one" with this script:
        """
        [{"text": "First."}]
        """
      And request "one" has been answered
      When request "two" with this script:
        """
        [{"text": "Second."}]
        """
      Then requests "one" and "two" have ids of their own

    @threads
    Scenario: Asking twice on one thread
      Given request "one" with this script:
        """
        [{"text": "First."}]
        """
      And request "one" has been answered
      When request "two" on the same thread with this script:
        """
        [{"text": "Second."}]
        """
      Then requests "one" and "two" have ids of their own
