@durable
Feature: A server that is killed and started again

  @aep.durable.threads @must @threads
  Rule: Threads go on

    Scenario: Going on with a thread after a restart
      Given request "one" with this script:
        """
        [{"text": "First."}]
        """
      And request "one" has been answered
      And the server is killed and started again
      When request "two" on the same thread with this script:
        """
        [{"text": "Second."}]
        """
      Then requests "one" and "two" are on the same thread

  @aep.durable.history @must @threads
  Rule: The agent knows what was said before

    Scenario: What was said before and after a restart
      Given request "one" with this script:
        """
        [{"text": "How?"}]
        """
      And request "one" has been answered
      And the server is killed and started again
      And request "two" on the same thread with this script:
        """
        [{"text": "When?"}]
        """
      And request "two" has been answered
      And the server is killed and started again
      When request "three" on the same thread with this script:
        """
        [{"echo": "history"}]
        """
      Then the response to request "three" has the history [{"user": "Plan the trip"}, {"agent": "How?"}, {"user": "Plan the trip"}, {"agent": "When?"}]

  @aep.durable.open @must @actions
  Rule: What was asked can be answered

    Scenario: A result after a restart
      Given request "asking" with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And request "asking" has been answered
      And the server is killed and started again
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": true}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the response ends with done

  @aep.durable.resolved @must @actions
  Rule: An action is resolved once, in every life of the server

    Scenario: The same result after a restart
      Given request "asking" with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And request "asking" has been answered
      And this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": true}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      And the request has been answered
      And the server is killed and started again
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": true}], "conformance": {"script": [{"text": "Booked again."}]}}}
        """
      Then the request is refused with 400 or 409
