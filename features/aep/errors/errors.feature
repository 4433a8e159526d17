Feature: Errors

  @aep.errors.code @must
  Rule: An error has a code

    Scenario: An agent that fails
      When a request with this script:
        """
        [{"fail": "agent_error"}]
        """
      Then the response ends with error
      And no exchange of this scenario breaks this rule

  @aep.errors.known-code @should
  Rule: The code is one of the table

    Scenario: A tool that stops the run
      When a request with this script:
        """
        [{"text": "One"}, {"fail": "tool_error"}]
        """
      Then the response ends with error
      And no exchange of this scenario breaks this rule

  @aep.errors.retryable @must
  Rule: An error says whether to try again

    Scenario: An agent that fails in the middle
      When a request with this script:
        """
        [{"text": "It is"}, {"fail": "agent_error"}]
        """
      Then the response ends with error
      And no exchange of this scenario breaks this rule

  @aep.errors.retryable-value @should
  Rule: Trying again is what the table says

    Scenario: A server that fails
      When a request with this script:
        """
        [{"fail": "internal_error"}]
        """
      Then the response ends with error
      And no exchange of this scenario breaks this rule

    Scenario: The refusal of a request without messages
      When a request with the body "{}"
      Then the request is refused
      And no exchange of this scenario breaks this rule

  @aep.errors.message @should
  Rule: An error has a message

    Scenario: A server that fails in the middle
      When a request with this script:
        """
        [{"text": "It is"}, {"fail": "internal_error"}]
        """
      Then the response ends with error
      And no exchange of this scenario breaks this rule

  @aep.errors.agent @must
  Rule: The agent's failure is the agent's

    Scenario Outline: A failing agent after <script>
      When a request with this script:
        """
        [<script>{"fail": "agent_error"}]
        """
      Then the response ends with the error "agent_error"

      Examples:
        | script                                                             |
        | {"text": "It is"},                                                 |
        | {"tool": {"name": "clock", "arguments": {}, "result": "noon"}},    |

  @aep.errors.tool @must
  Rule: A tool's failure is the tool's

    Scenario Outline: A failing tool after <script>
      When a request with this script:
        """
        [<script>{"fail": "tool_error"}]
        """
      Then the response ends with the error "tool_error"

      Examples:
        | script                                                             |
        | {"text": "It is"},                                                 |
        | {"tool": {"name": "clock", "arguments": {}, "result": "noon"}},    |

  @aep.errors.internal @should
  Rule: The server's failure is the server's

    Scenario Outline: A failing server after <script>
      When a request with this script:
        """
        [<script>{"fail": "internal_error"}]
        """
      Then the response ends with the error "internal_error"

      Examples:
        | script                                                             |
        | {"text": "It is"},                                                 |
        | {"tool": {"name": "clock", "arguments": {}, "result": "noon"}},    |

  @aep.errors.in-stream @must
  Rule: A failure in a stream is told in the stream

    Scenario: The agent fails while it speaks
      Given a request with this script:
        """
        [{"text": "It is"}, {"await": "b"}, {"fail": "agent_error"}]
        """
      And the request has begun
      When the agent of the request passes "b"
      Then the response ends with error

    Scenario: The server fails while the agent speaks
      Given a request with this script:
        """
        [{"text": "It is"}, {"await": "b"}, {"fail": "internal_error"}]
        """
      And the request has begun
      When the agent of the request passes "b"
      Then the response ends with error

  @aep.errors.timeout @must @limits
  Rule: A stream that hangs is ended

    Scenario: An agent that hangs after a text
      When a request to an agent whose streams time out, with this script:
        """
        [{"text": "It is"}, {"hang": true}]
        """
      Then the response times out with the error "stream_timeout"

  @aep.errors.timeout-early @must-not @limits
  Rule: A stream has its time

    Scenario: An agent that speaks again before it hangs
      Given a request to an agent whose streams time out, with this script:
        """
        [{"text": "It is"}, {"await": "b"}, {"text": " far."}, {"hang": true}]
        """
      And the request has begun
      And half of the time-out of the request passes
      When the agent of the request passes "b", if it is still known
      Then the response times out with the error "stream_timeout", and no sooner than it may

    @no-transcript:how-the-first-stream-ends-depends-on-the-machine
    Scenario: A stream that follows another on its thread
      Given a request to an agent whose streams time out, with this script:
        """
        [{"text": "It is"}, {"await": "b"}]
        """
      And the request has begun
      And half of the time-out of the request passes
      And the agent of the request passes "b", if it is still known
      And the request has been answered
      When a request on the same thread to an agent whose streams time out, with this script:
        """
        [{"text": "So it is"}, {"hang": true}]
        """
      Then the response times out with the error "stream_timeout", and no sooner than it may
