@runtime
Feature: Failures of a run

  @helix.errors.text @should
  Rule: An error says something

    Scenario: Failures with and without a text
      Given a run of this script:
        """
        [{"error":{"message":"too busy","code":"provider_overloaded","retryable":true}},{"error":{"message":"","code":"provider_timeout","retryable":true}}]
        [{"error":{"message":""}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","recoverable":true,"error":"$first"}
        {"type":"error","recoverable":true,"error":"$second"}
        {"type":"error","recoverable":false,"error":"$third"}
        """
      And no exchange of this scenario breaks this rule

  @helix.errors.classified @must
  Rule: A failure that was classified keeps its code

    Scenario Outline: Something fails with <code>
      Given a run of this script:
        """
        [{"text":"Let me see."},{"error":{"message":"it broke","code":"<code>"}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","code":"<code>"}
        """

      Examples:
        | code                       |
        | provider_overloaded        |
        | provider_rate_limited      |
        | provider_auth_error        |
        | provider_content_filtered  |
        | provider_refused           |
        | provider_timeout           |
        | provider_invalid_request   |
        | provider_error             |
        | tool_input_invalid         |
        | tool_execution_failed      |
        | tool_not_found             |
        | tool_timeout               |
        | state_concurrency_conflict |
        | state_session_not_found    |
        | state_already_running      |
        | state_not_resumable        |
        | transport_error            |
        | validation_error           |
        | framework_internal_error   |
        | framework_not_supported    |
        | framework_cancelled        |

    Scenario: Three failures, the last of which is fatal
      Given a run of this script:
        """
        [{"error":{"message":"too busy","code":"provider_overloaded","retryable":true}},{"error":{"message":"too often","code":"provider_rate_limited","retryable":true}}]
        [{"text":"Let me see."},{"error":{"message":"wrong key","code":"provider_auth_error"}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","code":"provider_overloaded"}
        {"type":"error","code":"provider_rate_limited"}
        {"type":"error","code":"provider_auth_error"}
        """

    Scenario: A failure in one of two branches
      Given a run of this script:
        """
        [{"parallel":[[{"await":"go"},{"error":{"message":"wrong key","code":"provider_auth_error"}}],[{"text":"Let me see."}]]}]
        """
      And the run is settled
      And barrier "go" is released
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","code":"provider_auth_error"}
        """

  @helix.errors.unclassified @must
  Rule: A failure that nobody classified is fatal and nothing else

    Scenario Outline: Something fails with the words <words>
      Given a run of this script:
        """
        [{"text":"Let me see."},{"error":{"message":"<words>"}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","recoverable":false}
        """
      And the client receives no error with another code than "framework_internal_error"

      Examples:
        | words                                |
        | undefined is not a function          |
        | 429 Too Many Requests, rate limited  |
        | request timed out after 30000 ms     |

    Scenario: Something fails in the second step
      Given a run of this script:
        """
        [{"text":"Let me see."}]
        [{"tool":{"name":"find_route","arguments":{},"error":"no road"}},{"error":{"message":"it broke"}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","recoverable":false}
        """
      And the client receives no error with another code than "framework_internal_error"

  @helix.errors.recoverable @must
  Rule: Recoverable is what may be tried again

    Scenario Outline: A failure with <code> that may be tried again
      Given a run of this script:
        """
        [{"error":{"message":"it broke","code":"<code>","retryable":true}},{"text":"Once more."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","recoverable":true}
        """

      Examples:
        | code                |
        | provider_overloaded |
        | provider_auth_error |
        | transport_error     |

    Scenario Outline: A failure with <code> that may not be tried again
      Given a run of this script:
        """
        [{"error":{"message":"it broke","code":"<code>"}},{"text":"Once more."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","recoverable":false}
        """

      Examples:
        | code                |
        | provider_overloaded |
        | provider_auth_error |
        | transport_error     |

    Scenario: The same code, now the one and now the other
      Given a run of this script:
        """
        [{"error":{"message":"too busy","code":"provider_overloaded","retryable":true}}]
        [{"error":{"message":"too busy","code":"provider_overloaded","retryable":true}},{"error":{"message":"too busy","code":"provider_overloaded"}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","recoverable":true}
        {"type":"error","recoverable":true}
        {"type":"error","recoverable":false}
        """

    Scenario: The last of several attempts
      Given a run of this script:
        """
        [{"error":{"message":"too busy","code":"provider_overloaded","retryable":true}},{"error":{"message":"too busy","code":"provider_overloaded","retryable":true,"last":true}}]
        """
      And the run is settled
      When the client attaches
      Then for the client an error is recoverable exactly if the run goes on after it

  @helix.errors.goes-on @must
  Rule: The stream goes on after an error that can be recovered from

    Scenario: What comes of the second try reaches the same reader
      Given a run of this script:
        """
        [{"error":{"message":"too busy","code":"provider_overloaded","retryable":true}},{"text":"By sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","recoverable":true}
        {"type":"text_delta"}
        """

    Scenario: Three tries
      Given a run of this script:
        """
        [{"error":{"message":"too busy","code":"provider_overloaded","retryable":true}},{"error":{"message":"too busy","code":"provider_overloaded","retryable":true}}]
        [{"error":{"message":"too often","code":"provider_rate_limited","retryable":true}},{"tool":{"name":"find_ship","arguments":{},"result":1}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","recoverable":true}
        {"type":"error","recoverable":true}
        {"type":"error","recoverable":true}
        {"type":"tool_end","toolName":"find_ship"}
        """

    Scenario: The model reached its limit
      Given a run of this script:
        """
        [{"text":"And then"},{"stop":"max_tokens"},{"text":" by sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","recoverable":true}
        {"type":"text_delta"}
        """

  @helix.errors.fatal-last @must-not
  Rule: Nothing is said after a fatal error

    Scenario: More was to be said
      Given a run of this script:
        """
        [{"text":"Let me see."},{"error":{"message":"wrong key","code":"provider_auth_error"}},{"thinking":"Why?"},{"text":"Once more."},{"tool":{"name":"find_ship","arguments":{},"result":1}}]
        [{"output":"by sea"}]
        """
      When the client attaches
      Then the client receives no chunk with {"type":"thinking"}
      And the client receives no chunk with {"type":"tool_start"}
      And no exchange of this scenario breaks this rule

    @no-transcript:the-branches-run-side-by-side
    Scenario: Something else is at work
      Given a run of this script:
        """
        [{"parallel":[[{"await":"go"},{"error":{"message":"wrong key","code":"provider_auth_error"}}],[{"tool":{"name":"find_ship","arguments":{},"result":1,"waits":"never"}},{"text":"Found."}]]},{"text":"Done."}]
        """
      And the run is settled
      And barrier "go" is released
      When the client attaches
      Then the client receives no chunk with {"type":"text_delta","delta":"Done."}
      And no exchange of this scenario breaks this rule

  @helix.errors.fatal-fails @should
  Rule: A fatal error fails the stream

    Scenario: An error right away
      Given a run of this script:
        """
        [{"error":{"message":"wrong key","code":"provider_auth_error"}}]
        """
      When the client attaches
      Then the stream of the client finishes with the fail frame
      And no exchange of this scenario breaks this rule

    Scenario: A fatal error after a step that was committed
      Given a run of this script:
        """
        [{"text":"Let me see."},{"set":{"key":"by","value":"sea"}}]
        [{"set":{"key":"by","value":"rail"}},{"error":{"message":"it broke"}}]
        """
      When the client attaches
      Then the stream of the client finishes with the fail frame
      And no exchange of this scenario breaks this rule

  @helix.errors.same-text @should
  Rule: The fail frame repeats the error

    Scenario: An error with a code
      Given a run of this script:
        """
        [{"text":"Let me see."},{"error":{"message":"the key \"abc\" is wrong","code":"provider_auth_error"}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","error":"$text"}
        {"type":"fail","error":"$text"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: An error without a code, after one that was survived
      Given a run of this script:
        """
        [{"error":{"message":"too busy","code":"provider_overloaded","retryable":true}}]
        [{"error":{"message":"it broke"}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","recoverable":true}
        {"type":"error","error":"$text"}
        {"type":"fail","error":"$text"}
        """
      And no exchange of this scenario breaks this rule

  @helix.errors.step @must
  Rule: An error belongs to the step in which it happened

    Scenario: Errors in three steps
      Given a run of this script:
        """
        [{"text":"Let me see."},{"error":{"message":"too busy","code":"provider_overloaded","retryable":true}}]
        [{"text":"Once more."},{"error":{"message":"too often","code":"provider_rate_limited","retryable":true}},{"error":{"message":"too often","code":"provider_rate_limited","retryable":true}}]
        [{"text":"And again."},{"error":{"message":"wrong key","code":"provider_auth_error"}}]
        """
      When the client attaches
      Then the errors that the client receives are of steps 1, 2, 2, 3 of the script

    Scenario: An error in the second step
      Given a run of this script:
        """
        [{"text":"Let me see."}]
        [{"text":"Once more."},{"error":{"message":"it broke"}}]
        """
      When the client attaches
      Then the errors that the client receives are of steps 2 of the script

  @helix.errors.cancelled @must
  Rule: Cancelled work is reported as cancelled

    Scenario: Work is cancelled
      Given a run of this script:
        """
        [{"text":"Let me see."},{"error":{"message":"the user left","abort":true}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","code":"framework_cancelled"}
        """

    Scenario: Work is cancelled in the second step, after an error
      Given a run of this script:
        """
        [{"error":{"message":"too busy","code":"provider_overloaded","retryable":true}}]
        [{"tool":{"name":"find_ship","arguments":{},"result":1}},{"error":{"message":"aborted","abort":true}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"error","code":"framework_cancelled"}
        """

  @helix.errors.stop-reason @must
  Rule: A stop reason that is a failure is an error

    Scenario Outline: The model stops because of <reason>
      Given a run of this script:
        """
        [{"text":"I would rather"},{"stop":"<reason>"},{"text":" not."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"text_delta"}
        {"type":"error","recoverable":<recoverable>}
        """

      Examples:
        | reason         | recoverable |
        | max_tokens     | true        |
        | content_filter | false       |
        | refusal        | false       |
        | error          | false       |
        | unknown        | false       |

    Scenario: The model stops twice, at its limit and with a refusal
      Given a run of this script:
        """
        [{"text":"Let me"},{"stop":"max_tokens"},{"text":" see."},{"stop":"end_turn"}]
        [{"text":"I would rather"},{"stop":"refusal"}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"text_delta"}
        {"type":"error","recoverable":true}
        {"type":"text_delta"}
        {"type":"error","recoverable":false}
        """
