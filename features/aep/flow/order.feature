Feature: How a response begins and ends

  @aep.flow.metadata-first @must
  Rule: Metadata comes first

    Scenario: A text and a tool
      When a request with this script:
        """
        [{"text": "Let me see."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

    Scenario: A failure at once
      When a request with this script:
        """
        [{"fail": "internal_error"}]
        """
      Then the response ends with error
      And no exchange of this scenario breaks this rule

    @actions
    Scenario: Going on with a result
      Given a request with this script:
        """
        [{"continue": {"kind": "input", "payload": "Name?"}}]
        """
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": "Kari"}], "conformance": {"script": [{"text": "Hello Kari."}]}}}
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.flow.metadata-once @must-not
  Rule: Metadata comes once

    Scenario: A text after a thought
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "It is far."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.flow.metadata-members @must
  Rule: Metadata names thread and agent

    Scenario: The first words of a thread
      When a request with this script:
        """
        [{"text": "Hello."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.flow.terminal @must
  Rule: Every response has an end

    Scenario: An agent that has something to say
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "It is far."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

    Scenario: An agent that fails after a text
      When a request with this script:
        """
        [{"text": "It is"}, {"fail": "agent_error"}]
        """
      Then the response ends with error
      And no exchange of this scenario breaks this rule

  @aep.flow.terminal-last @must-not
  Rule: Nothing follows the end

    Scenario: A text that is over
      When a request with this script:
        """
        [{"text": "That is all."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

    Scenario: A failure in the middle of a text
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "It is"}, {"fail": "agent_error"}]
        """
      Then the response ends with error
      And no exchange of this scenario breaks this rule

    @cancel
    Scenario: A cancellation in the middle of a text
      Given a request with this script:
        """
        [{"text": "It is"}, {"await": "b"}, {"text": " far."}]
        """
      And the response has the text "It is" so far
      When the request is cancelled
      Then the response ends with aborted
      And no exchange of this scenario breaks this rule

  @aep.flow.body-closes @must
  Rule: The body closes at the end

    Scenario: A text and the end of its body
      When a request with this script:
        """
        [{"text": "That was it."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

    Scenario: A failure and the end of its body
      When a request with this script:
        """
        [{"fail": "agent_error"}]
        """
      Then the response ends with error
      And no exchange of this scenario breaks this rule

  @aep.flow.done @must
  Rule: A run that succeeds is done

    Scenario Outline: A run that <does>
      When a request with this script:
        """
        <script>
        """
      Then the response ends with done

      Examples:
        | does                        | script                                                                                                   |
        | says something              | [{"text": "It is far."}]                                                                                 |
        | says nothing                | []                                                                                                       |
        | only thinks                 | [{"thinking": "hm"}]                                                                                     |
        | copes with a tool that fails | [{"tool": {"name": "clock", "arguments": {}, "error": "no clock"}}, {"text": "I don't know."}]          |
        | ends with a tool that fails | [{"tool": {"name": "clock", "arguments": {}, "error": "no clock"}}]                                     |

  @aep.flow.blocks-closed @should
  Rule: Nothing is left open when it is done

    Scenario: A thought, a text and two tools
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "Let me see."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}, {"tool": {"name": "find_route", "arguments": {"to": "Bergen", "via": ["Finse", null], "km": 463.5}, "result": {"km": 463}, "summary": "463 km"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.flow.disconnect @must-not
  Rule: A reader that leaves harms nobody

    Scenario: One of two readers leaves
      Given request "staying" with this script:
        """
        [{"text": "It "}, {"await": "b"}, {"text": "is far."}]
        """
      And request "staying" has begun
      And request "leaving" with this script:
        """
        [{"text": "You "}, {"await": "never"}]
        """
      And request "leaving" has begun
      And the reader of request "leaving" leaves
      When the agent of request "staying" passes "b"
      Then the response to request "staying" has the text "It is far."

    @threads
    Scenario: One of two readers of a thread leaves
      Given request "staying" with this script:
        """
        [{"text": "It "}, {"await": "b"}, {"text": "is near."}]
        """
      And request "staying" has begun
      And request "leaving" on the same thread, which may be refused with 409, with this script:
        """
        [{"text": "You "}, {"await": "never"}]
        """
      And request "leaving" has begun
      And the reader of request "leaving" leaves
      When the agent of request "staying" passes "b"
      Then the response to request "staying" has the text "It is near."

    Scenario: Asking after a reader left
      Given request "leaving" with this script:
        """
        [{"await": "never"}]
        """
      And request "leaving" has begun
      And the reader of request "leaving" leaves
      When request "next" with this script:
        """
        [{"text": "Still here."}]
        """
      Then the response to request "next" has the text "Still here."
