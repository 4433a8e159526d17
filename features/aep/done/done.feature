Feature: Done

  @aep.done.content @must
  Rule: Done has the blocks

    Scenario: A thought, a text and a call in done
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "One moment."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

    Scenario: Nothing in done
      When a request with this script:
        """
        []
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.done.block-members @should
  Rule: A block in done has its members

    Scenario: Every type of block in done
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "One moment."}, {"tool": {"name": "find_route", "arguments": {"to": "Bergen", "via": ["Finse", null], "km": 463.5}, "result": {"km": 463}, "summary": "463 km"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.done.complete @must
  Rule: Done has everything, in order

    Scenario: Blocks of all types, twice
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "One moment."}, {"tool": {"name": "find_route", "arguments": {"to": "Bergen", "via": ["Finse", null], "km": 463.5}, "result": {"km": 463}, "summary": "463 km"}}, {"thinking": "so"}, {"text": "It is far."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.done.text @must
  Rule: A text in done is the one that was streamed

    Scenario: Two texts and a thought in done
      When a request with this script:
        """
        [{"thinking": "it is far"}, {"text": " One moment, "}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}, {"text": "it is far. "}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.done.arguments @must
  Rule: Arguments in done are those that were streamed

    Scenario: Two calls in done
      When a request with this script:
        """
        [{"tool": {"name": "find_route", "arguments": {"to": "Bergen", "via": ["Finse", null], "km": 463.5}, "result": {"km": 463}, "summary": "463 km"}}, {"tool": {"name": "clock", "arguments": {"zone": "Oslo"}, "result": "noon"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.done.call @must
  Rule: A call in done is the one that was streamed

    Scenario: Two calls of two tools in done
      When a request with this script:
        """
        [{"tool": {"name": "find_route", "arguments": {"to": "Bergen"}, "result": {"km": 463}, "summary": "463 km"}}, {"tool": {"name": "clock", "arguments": {"to": "Bergen"}, "result": "noon", "summary": "noon"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.done.outcome @must
  Rule: A result in done is the one that was streamed

    Scenario: A result and a failure in done
      When a request with this script:
        """
        [{"tool": {"name": "find_route", "arguments": {}, "error": "no road"}}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}, {"text": "It is noon."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.done.finish-reason @must
  Rule: Done says why

    Scenario: The reason of an ordinary end
      When a request with this script:
        """
        [{"text": "One moment."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}, {"text": "It is noon."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.done.stop @should
  Rule: An agent that is finished has stopped

    Scenario Outline: The reason of a run that <does>
      When a request with this script:
        """
        <script>
        """
      Then the finish reason of the response is "stop"

      Examples:
        | does           | script                                                                         |
        | says something | [{"text": "It is noon."}]                                                      |
        | says nothing   | []                                                                             |
        | calls a tool   | [{"tool": {"name": "clock", "arguments": {}, "result": "noon"}}, {"text": "Noon."}] |

  @aep.done.no-action @must-not
  Rule: Nobody is asked for nothing

    Scenario: A call that the server makes itself
      When a request with this script:
        """
        [{"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}, {"text": "It is noon."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

    @actions
    Scenario: An answer to a result
      Given a request with this script:
        """
        [{"continue": {"kind": "approval", "payload": {"question": "Book it?"}}}]
        """
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Here"}]}], "threadId": "$thread",
         "context": {"actionResults": [{"actionId": "$action", "result": true}], "conformance": {"script": [{"text": "Booked."}]}}}
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.done.thread @should
  Rule: Done names the thread

    Scenario: The thread of a done
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "It is noon now."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.done.usage @may
  Rule: Done may say what was used

    Scenario: The end of a thought and a text
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "It is noon then."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.done.same-thread @must
  Rule: Done names the same thread as metadata

    Scenario: The thread of metadata and of done
      When a request with this script:
        """
        [{"text": "Noon it is."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule
