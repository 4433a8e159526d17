Feature: Going on with a result

  @aep.actions.resumed @must @actions
  Rule: A result is taken

    Scenario: The result of an action
      Given a request with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And the request has been answered
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": {"approved": true}}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the request is served
      And the response has the text "Booked."

    Scenario: An error in place of a result
      Given a request with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And the request has been answered
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "error": "the user said no"}], "conformance": {"script": [{"text": "Not booked."}]}}}
        """
      Then the request is served
      And the response has the text "Not booked."

  @aep.actions.result @must @actions
  Rule: Results reach the agent

    @no-transcript:the-answer-holds-ids-that-are-the-servers-own
    Scenario: One result
      Given a request with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And the request has been answered
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": {"approved": true}}], "conformance": {"script": [{"echo": "results"}]}}}
        """
      Then the response has a text of the JSON [{"actionId": "$action", "result": {"approved": true}}]

    @no-transcript:the-answer-holds-ids-that-are-the-servers-own
    Scenario: Two results, one of them an error
      Given a request with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}, {"continue": {"kind": "input", "payload": "Name?"}}]
        """
      And the request has been answered
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": {"approved": true, "by": ["Kari", 7]}}, {"actionId": "$action2", "error": "no answer"}], "conformance": {"script": [{"echo": "results"}]}}}
        """
      Then the response has a text of the JSON [{"actionId": "$action", "result": {"approved": true, "by": ["Kari", 7]}}, {"actionId": "$action2", "error": "no answer"}]

  @aep.actions.same-thread @must @actions
  Rule: The answer to a result is on the same thread

    Scenario: Going on where the agent asked
      Given request "asking" with this script:
        """
        [{"continue": {"kind": "approval", "payload": true}}]
        """
      And request "asking" has been answered
      When request "going on":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": true}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then requests "asking" and "going on" are on the same thread

  @aep.actions.unknown @must @actions
  Rule: A result of nothing is refused

    Scenario: The result of an action that never was
      Given a request with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And the request has been answered
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$unheard", "result": true}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the request is refused with 400

  @aep.actions.resolved @must @actions
  Rule: An action is resolved once

    Scenario: The same result twice
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
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": true}], "conformance": {"script": [{"text": "Booked again."}]}}}
        """
      Then the request is refused with 400 or 409

    Scenario: The same result again after another request
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
      And request "later" on the same thread with this script:
        """
        [{"text": "Anything else?"}]
        """
      And request "later" has been answered
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": true}], "conformance": {"script": [{"text": "Booked again."}]}}}
        """
      Then the request is refused with 400 or 409

    Scenario: The same result while it is worked on
      Given request "asking" with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And request "asking" has been answered
      And request "working":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$asked", "result": true}], "conformance": {"script": [{"text": "On it."}, {"await": "b"}, {"text": " Booked."}]}}}
        """
      And request "working" has begun
      And this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$asked", "result": true}], "conformance": {"script": [{"text": "Booked again."}]}}}
        """
      When the agent of request "working" passes "b"
      Then the request is refused with 400 or 409

  @aep.actions.all-or-none @must @actions
  Rule: Results are taken together

    Scenario: A result beside one of nothing, and alone
      Given request "asking" with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And request "asking" has been answered
      And request "half":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$asked", "result": true}, {"actionId": "$unheard", "result": true}], "conformance": {"script": [{"text": "Half."}]}}}
        """
      And request "half" has been refused
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$asked", "result": true}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the request is served
      And the response has the text "Booked."

  @aep.actions.others-open @must-not @actions
  Rule: A result resolves its own action

    Scenario: One of two actions, and the other
      Given request "asking" with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}, {"continue": {"kind": "input", "payload": "Name?"}}]
        """
      And request "asking" has been answered
      And request "first":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$asked", "result": true}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      And request "first" has been answered
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$asked2", "result": "Kari"}], "conformance": {"script": [{"text": "Booked for Kari."}]}}}
        """
      Then the request is served
      And the response has the text "Booked for Kari."

  @aep.actions.other-thread @must @actions @threads
  Rule: An action belongs to its thread

    Scenario: A result on another thread
      Given request "asking" with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And request "asking" has been answered
      And request "elsewhere" with this script:
        """
        [{"text": "Elsewhere."}]
        """
      And request "elsewhere" has been answered
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$asked", "result": true}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the request is refused

  @aep.actions.again @should @actions
  Rule: What failed can be tried again

    Scenario: The same results after a run that failed
      Given request "asking" with this script:
        """
        [{"text": "Two things."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}},
         {"continue": {"kind": "input", "payload": {"question": "For whom?"}}}]
        """
      And request "asking" has been answered
      And request "failing":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$asked", "result": true}, {"actionId": "$asked2", "result": "Ada"}],
                     "conformance": {"script": [{"text": "On it."}, {"fail": "agent_error"}]}}}
        """
      And request "failing" has been answered
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$asked", "result": true}, {"actionId": "$asked2", "result": "Ada"}],
                     "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the request is served
      And the response has the text "Booked."

  @aep.actions.twice @should @actions
  Rule: An action has one result

    Scenario: Two results for one action
      Given request "asking" with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And request "asking" has been answered
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$asked", "result": true}, {"actionId": "$asked", "result": false}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the request is refused

  @aep.actions.left-open @should @actions @threads
  Rule: Something else may be said first

    Scenario: A request in between
      Given request "asking" with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And request "asking" has been answered
      And request "later" on the same thread with this script:
        """
        [{"text": "It is noon."}]
        """
      And request "later" has been answered, or refused with 409
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$asked", "result": true}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the request is served
      And the response has the text "Booked."

  @aep.actions.foreign @must-not @actions @auth
  Rule: An action belongs to its user

    Scenario: Somebody else consents on the thread
      Given a request with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And the request has been answered
      When this request of the other user:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": {"approved": true}}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the request is refused

    Scenario: Somebody else consents on a thread of their own
      Given a request with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And the request has been answered
      When this request of the other user:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}],
         "context": {"actionResults": [{"actionId": "$action", "result": {"approved": true}}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the request is refused

  @aep.actions.no-id @should @actions
  Rule: A result names its action

    Scenario: A result without an id
      Given a request with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And the request has been answered
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"result": true}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the request is refused with 400

  @aep.actions.empty-messages @should @actions
  Rule: A result needs no message

    Scenario: A result and no message
      Given a request with this script:
        """
        [{"text": "One thing."}, {"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      And the request has been answered
      When this request:
        """
        {"messages": [], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": {"approved": true}}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the request is served
