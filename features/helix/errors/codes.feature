Feature: Error codes

  @helix.errors.known-code @should
  Rule: Codes are known ones

    Scenario: The code of a stream that never was
      When a client attaches to a stream that never was
      Then the answer is 404
      And no exchange of this scenario breaks this rule

    Scenario: The code of a failure
      Given a stream that holds event 1
      And an attached client
      When the stream fails with the error "too many requests" and the code "provider_rate_limited"
      Then the client receives the fail frame
      And no exchange of this scenario breaks this rule

  @helix.errors.code-prefix @should
  Rule: Codes name their category

    Scenario: The category of a failure
      Given a stream that holds event 1
      And an attached client
      When the stream fails with the error "no such tool" and the code "tool_not_found"
      Then the client receives the fail frame
      And no exchange of this scenario breaks this rule

    Scenario: The category of a 404
      When a client attaches to a stream that never was
      Then the answer is 404
      And no exchange of this scenario breaks this rule

  @helix.errors.code-status @should
  Rule: A code has its HTTP status

    Scenario: The code and the status of a stream that never was
      When a client attaches to a stream that never was
      Then the answer is 404
      And no exchange of this scenario breaks this rule

  @helix.errors.fail-code @must
  Rule: A failure keeps its code

    Scenario Outline: Failing with <code>
      Given a stream that holds event 1
      And an attached client
      When the stream fails with the error "it broke" and the code "<code>"
      Then the client receives the fail frame with the code "<code>", if any

      Examples:
        | code                     |
        | provider_timeout         |
        | framework_internal_error |
