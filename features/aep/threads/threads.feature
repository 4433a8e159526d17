Feature: Threads

  @aep.threads.created @must @threads
  Rule: A request without a thread begins one

    Scenario: Two requests without a thread
      Given request "one" with this script:
        """
        [{"text": "First."}]
        """
      And request "one" has been answered
      When request "two" with this script:
        """
        [{"text": "Second."}]
        """
      Then requests "one" and "two" are on two threads

  @aep.threads.echoed @must @threads
  Rule: The response names the thread that was asked for

    Scenario: Going on with a thread
      Given request "one" with this script:
        """
        [{"text": "First."}]
        """
      And request "one" has been answered
      When request "two" on the same thread with this script:
        """
        [{"text": "Second."}]
        """
      Then requests "one" and "two" are on the same thread

  @aep.threads.history @must @threads
  Rule: The agent knows what was said before

    Scenario: The third request of a thread
      Given request "one":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "To Bergen"}]}], "context": {"conformance": {"script": [{"text": "How?"}]}}}
        """
      And request "one" has been answered
      And request "two":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "By train"}]}, {"role": "user", "content": [{"type": "text", "text": "or by sea"}]}],
         "threadId": "$thread", "context": {"conformance": {"script": [{"text": "When?"}]}}}
        """
      And request "two" has been answered
      When request "three":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Tomorrow"}]}], "threadId": "$thread", "context": {"conformance": {"script": [{"echo": "history"}]}}}
        """
      Then the response to request "three" has a text of the JSON ["To Bergen", "By train", "or by sea"]

    Scenario: The first request of a thread
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "To Bergen"}]}], "context": {"conformance": {"script": [{"echo": "history"}]}}}
        """
      Then the response has a text of the JSON []

  @aep.threads.isolation @must-not @threads
  Rule: Threads don't mix

    Scenario: Two threads in turn
      Given request "one":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "To Bergen"}]}], "context": {"conformance": {"script": [{"text": "How?"}]}}}
        """
      And request "one" has been answered
      And request "other":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "A loaf of bread"}]}], "context": {"conformance": {"script": [{"text": "White?"}]}}}
        """
      And request "other" has been answered
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Brown"}]}], "threadId": "$thread", "context": {"conformance": {"script": [{"echo": "history"}]}}}
        """
      Then the response has a text of the JSON ["A loaf of bread"]

  @aep.threads.unknown @must @threads
  Rule: A thread that never was is not found

    Scenario: Going on with a thread that never was
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "By train"}]}], "threadId": "$unheard"}
        """
      Then the request is refused with 404

  @aep.threads.foreign @must-not @threads @auth
  Rule: A thread belongs to its user

    Scenario: Going on with somebody else's thread
      Given request "one":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "To Bergen"}]}]}
        """
      And request "one" has been answered
      When this request of the other user:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "What did I say?"}]}], "threadId": "$thread"}
        """
      Then the request is refused

  @aep.threads.foreign-status @should @threads @auth
  Rule: Somebody else's thread is forbidden

    Scenario: Asking for somebody else's thread
      Given request "one":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "To Oslo"}]}]}
        """
      And request "one" has been answered
      When this request of the other user:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "What did I say?"}]}], "threadId": "$thread"}
        """
      Then the request is refused with 403 or 404
      And the refusal of the request has the code "thread_access_denied" or "thread_not_found"
