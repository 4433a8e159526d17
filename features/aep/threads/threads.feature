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
      Then the response to request "three" has the history [{"user": "To Bergen"}, {"agent": "How?"}, {"user": "By train"}, {"user": "or by sea"}, {"agent": "When?"}]

    Scenario: An answer of several blocks
      Given request "one":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "To Bergen"}]}],
         "context": {"conformance": {"script": [{"text": "One moment. "}, {"tool": {"name": "find_route", "arguments": {}, "result": "463 km", "summary": "463 km"}}, {"text": "It is far."}]}}}
        """
      And request "one" has been answered
      And request "two" on the same thread with this script:
        """
        [{"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}]
        """
      And request "two" has been answered
      When request "three" on the same thread with this script:
        """
        [{"echo": "history"}]
        """
      Then the response to request "three" has the history [{"user": "To Bergen"}, {"agent": "One moment. It is far."}, {"user": "Plan the trip"}]

    @actions
    Scenario: An answer that was waited for
      Given request "asking":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Book it"}]}],
         "context": {"conformance": {"script": [{"text": "Your name?"}, {"continue": {"kind": "input", "payload": "Name?"}}]}}}
        """
      And request "asking" has been answered
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": "Kari"}], "conformance": {"script": [{"echo": "history"}]}}}
        """
      Then the response has the history [{"user": "Book it"}, {"agent": "Your name?"}]

    Scenario: The first request of a thread
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "To Bergen"}]}], "context": {"conformance": {"script": [{"echo": "history"}]}}}
        """
      Then the response has the history []

  @aep.threads.unfinished @should @threads
  Rule: A question outlives its answer

    Scenario: A question that failed
      Given request "one" with this script:
        """
        [{"text": "It is"}, {"fail": "agent_error"}]
        """
      And request "one" has been answered
      When request "two" on the same thread with this script:
        """
        [{"echo": "history"}]
        """
      Then the response to request "two" has the history [{"user": "Plan the trip"}, {"agent": "It is", "unfinished": true}]

    @cancel
    Scenario: A question that was cancelled
      Given request "one" with this script:
        """
        [{"text": "It is"}, {"await": "never"}]
        """
      And the response to request "one" has the text "It is" so far
      And request "one" is cancelled
      And request "one" has been answered
      When request "two" on the same thread with this script:
        """
        [{"echo": "history"}]
        """
      Then the response to request "two" has the history [{"user": "Plan the trip"}, {"agent": "It is", "unfinished": true}]

    @no-transcript:when-a-server-notices-that-a-reader-left-is-free
    Scenario: A question whose reader left
      Given request "one" with this script:
        """
        [{"text": "It is"}, {"await": "b"}, {"text": " far."}]
        """
      And the response to request "one" has the text "It is" so far
      And the reader of request "one" leaves
      And the agent of request "one" passes "b", if it is still known
      When request "two" on the same thread, again while it is refused with 409, with this script:
        """
        [{"echo": "history"}]
        """
      Then the response to request "two" has the history [{"user": "Plan the trip"}, {"agent": "It is far.", "unfinished": true}]

  @aep.threads.unfinished-answer @must @threads
  Rule: Nobody remembers what wasn't said

    Scenario: An answer that failed
      Given request "one":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "To Bergen"}]}], "context": {"conformance": {"script": [{"text": "How?"}]}}}
        """
      And request "one" has been answered
      And request "two":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "By train"}]}], "threadId": "$thread",
         "context": {"conformance": {"script": [{"text": "It leaves"}, {"fail": "agent_error"}]}}}
        """
      And request "two" has been answered
      When request "three" on the same thread with this script:
        """
        [{"echo": "history"}]
        """
      Then the response to request "three" has the history [{"user": "To Bergen"}, {"agent": "How?"}, {"user": "By train", "unfinished": true}, {"agent": "It leaves", "unfinished": true}]

    @cancel
    Scenario: An answer that was cancelled
      Given request "one":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "By train"}]}],
         "context": {"conformance": {"script": [{"text": "It leaves"}, {"await": "b"}, {"text": " at noon."}]}}}
        """
      And the response to request "one" has the text "It leaves" so far
      And request "one" is cancelled
      And request "one" has been answered
      And the agent of request "one" passes "b", if it is still known
      When request "two" on the same thread with this script:
        """
        [{"echo": "history"}]
        """
      Then the response to request "two" has the history [{"user": "By train", "unfinished": true}, {"agent": "It leaves", "unfinished": true}]

    @no-transcript:when-a-server-notices-that-its-reader-left-is-free
    Scenario: An answer that was cut
      Given request "one":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "To Bergen"}]}], "context": {"conformance": {"script": [{"text": "How?"}]}}}
        """
      And request "one" has been answered
      And request "two":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "By train"}]}], "threadId": "$thread",
         "context": {"conformance": {"script": [{"text": "It leaves"}, {"await": "b"}, {"text": " at noon."}]}}}
        """
      And the response to request "two" has the text "It leaves" so far
      And the reader of request "two" leaves
      And the agent of request "two" passes "b", if it is still known
      When request "three" on the same thread, again while it is refused with 409, with this script:
        """
        [{"echo": "history"}]
        """
      Then the response to request "three" has the history [{"user": "To Bergen"}, {"agent": "How?"}, {"user": "By train", "unfinished": true}, {"agent": "It leaves at noon.", "unfinished": true}]

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
      Then the response has the history [{"user": "A loaf of bread"}, {"agent": "White?"}]

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
