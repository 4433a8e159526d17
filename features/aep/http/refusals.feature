Feature: Refusals

  @aep.http.status @must
  Rule: Status and code go together

    Scenario: The status of a request without messages
      When a request with the body "{}"
      Then the request is refused
      And no exchange of this scenario breaks this rule

    @threads
    Scenario: The status of a thread that never was
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "By train"}]}], "threadId": "$unheard"}
        """
      Then the request is refused
      And no exchange of this scenario breaks this rule

  @aep.http.code @should
  Rule: A refusal has the code of its reason

    Scenario Outline: The code for a body of <body>
      When a request with the body <body>
      Then the refusal of the request has the code "invalid_message_format"

      Examples:
        | body                           |
        | "{}"                           |
        | "{\"messages\": \"Plan\"}"     |
        | "{\"messages\": ["            |

    @threads
    Scenario: The code for a thread that never was
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "By train"}]}], "threadId": "$unheard"}
        """
      Then the refusal of the request has the code "thread_not_found"

    @actions
    Scenario: The code for an action that never was
      Given a request with this script:
        """
        [{"text": "Hello."}]
        """
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$unheard", "result": true}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the refusal of the request has the code "invalid_action_id"

    @auth
    Scenario: The code for no credential
      When a request without its credential
      Then the refusal of the request has the code "auth_failed"

    @limits @no-transcript:megabytes-that-are-too-many
    Scenario: The code for a message that is too large
      When a request with a message beyond the largest size
      Then the refusal of the request has the code "message_too_large"

    @limits @no-transcript:how-many-requests-come-before-it-is-free
    Scenario: The code for too many requests, which is refused with 429
      When the limited user makes every request that it may, and one more
      Then the refusal of the request has the code "rate_limit_exceeded"

  @aep.http.error-body @should
  Rule: A refusal explains itself in JSON

    Scenario: The body of a refusal
      When a request with the body "{}"
      Then the request is refused
      And no exchange of this scenario breaks this rule

  @aep.http.error-event @should
  Rule: A refusal is an event

    Scenario: The event of a refusal
      When a request with the body "{}"
      Then the request is refused
      And no exchange of this scenario breaks this rule

  @aep.http.in-stream-codes @should-not
  Rule: Codes of agents are for streams

    Scenario: The code of a refusal
      When a request with the body "{}"
      Then the request is refused
      And no exchange of this scenario breaks this rule

    Scenario: The code of a failure before the stream
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Plan the trip"}]}], "context": {"conformance": {"refuse": "internal_error"}}}
        """
      Then the failure of the request is told with "internal_error", or with the status 500
      And no exchange of this scenario breaks this rule

  @aep.http.failed-start @must
  Rule: A failure before the stream is told

    Scenario Outline: Failing with <code> before the stream
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Plan the trip"}]}], "context": {"conformance": {"refuse": <code>}}}
        """
      Then the failure of the request is told with <code>, or with the status <status>

      Examples:
        | code             | status |
        | "internal_error" | 500    |
        | "stream_timeout" | 504    |

  @aep.http.credential @must @auth
  Rule: A user shows a credential

    Scenario: A request without a credential
      When a request without its credential
      Then the request is refused with 401

    Scenario: A request without a credential after one with it
      Given a request with this script:
        """
        [{"text": "Hello again."}]
        """
      And the request has been answered
      When a request without its credential
      Then the request is refused with 401

    Scenario: A request with a wrong credential
      When a request with another credential
      Then the request is refused with 401

  @aep.http.rate-limit @must @limits
  Rule: There is a limit to how often one may ask

    @no-transcript:how-many-requests-it-takes-depends-on-the-config
    Scenario: Two requests too many
      When the limited user makes every request that it may, and two more
      Then the last two requests are refused with 429
