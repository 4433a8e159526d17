Feature: What outlasts everything else

  These scenarios begin before all others and end after them. What they wait for is the run itself.

  @aep.actions.resumed @must @actions @no-transcript:everything-else-runs-meanwhile
  Rule: An action is open until its result comes

    Scenario: An approval that is asked for first and given last
      Given a request with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And the request has been answered
      And every other scenario of the run has ended
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": {"approved": true}}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the request is served
      And the response has the text "Booked."

  @aep.actions.resolved @must @actions @no-transcript:everything-else-runs-meanwhile
  Rule: An action that is resolved stays resolved

    Scenario: An approval that is given first and once more at the end
      Given request "asking" with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And request "asking" has been answered
      And request "first":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$asked", "result": {"approved": true}}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      And request "first" has been answered
      And every other scenario of the run has ended
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$asked", "result": {"approved": true}}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the request is refused with 400 or 409

  @aep.threads.history @must @threads @no-transcript:everything-else-runs-meanwhile
  Rule: A thread is remembered for long

    Scenario: A thread that is begun first and gone on with last
      Given request "one":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "To Bergen"}]}], "context": {"conformance": {"script": [{"text": "How?"}]}}}
        """
      And request "one" has been answered
      And every other scenario of the run has ended
      When request "two":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "By train"}]}], "threadId": "$thread", "context": {"conformance": {"script": [{"echo": "history"}]}}}
        """
      Then the response to request "two" has the history [{"user": "To Bergen"}, {"agent": "How?"}]
