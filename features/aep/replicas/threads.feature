@replicas
Feature: Threads and actions of one server at several addresses

  @aep.replicas.threads @must @threads
  Rule: Threads go on everywhere

    Scenario: Going on with a thread on the other replica
      Given request "one" with this script:
        """
        [{"text": "First."}]
        """
      And request "one" has been answered
      And replica 2 is asked from now on
      When request "two" on the same thread with this script:
        """
        [{"text": "Second."}]
        """
      Then requests "one" and "two" are on the same thread

  @aep.replicas.history @must @threads
  Rule: There is one history

    Scenario: What was said on both replicas
      Given request "one" with this script:
        """
        [{"text": "How?"}]
        """
      And request "one" has been answered
      And replica 2 is asked from now on
      And request "two" on the same thread with this script:
        """
        [{"text": "When?"}]
        """
      And request "two" has been answered
      And replica 1 is asked from now on
      When request "three" on the same thread with this script:
        """
        [{"echo": "history"}]
        """
      Then the response to request "three" has the history [{"user": "Plan the trip"}, {"agent": "How?"}, {"user": "Plan the trip"}, {"agent": "When?"}]

  @aep.replicas.foreign @must-not @threads @auth
  Rule: A thread belongs to the same user everywhere

    Scenario: The other user on the other replica
      Given request "one" with this script:
        """
        [{"text": "First."}]
        """
      And request "one" has been answered
      And replica 2 is asked from now on
      When this request of the other user:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Whose is it?"}]}], "threadId": "$thread"}
        """
      Then the request is refused

  @aep.replicas.open @must @actions
  Rule: What one replica asked can be answered on another

    Scenario: A result on the other replica
      Given request "asking" with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And request "asking" has been answered
      And replica 2 is asked from now on
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": true}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the response ends with done

  @aep.replicas.resolved @must @actions
  Rule: An action is resolved once, on all replicas together

    Scenario: The same result on the other replica
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
      And replica 2 is asked from now on
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": true}], "conformance": {"script": [{"text": "Booked again."}]}}}
        """
      Then the request is refused with 400 or 409

  @aep.replicas.survives @must @threads
  Rule: The death of a replica takes no thread with it

    Scenario: Going on where a replica was that is dead
      Given replica 2 is asked from now on
      And request "one" with this script:
        """
        [{"text": "How?"}]
        """
      And request "one" has been answered
      And replica 2 is killed
      And replica 1 is asked from now on
      When request "two" on the same thread with this script:
        """
        [{"echo": "history"}]
        """
      Then the response to request "two" has the history [{"user": "Plan the trip"}, {"agent": "How?"}]
