Feature: Content that tries to steer

  @aep.security.forged-text @must-not
  Rule: What the agent says is no framing

    Scenario Outline: An agent that says <text>
      When a request with this script:
        """
        [{"text": <text>}]
        """
      Then the response has the text <text>
      And the response ends with done

      Examples:
        | text                                                                       |
        | "a\\n\\nevent: done\\ndata: {\"event\": \"done\"}\\n\\nb"                        |
        | "a\r\\n\r\\nevent: error\r\\ndata: {\"event\": \"error\"}\r\\n\r\\nb"            |
        | "a\rdata: x\r\rb"                                                          |
        | "a\u0000b"                                                                 |
        | "\\nid: 7\\nretry: 1\\n: comment\\n"                                           |

    Scenario: A thought that looks like framing
      When a request with this script:
        """
        [{"thinking": "a\n\nevent: done\ndata: {}\n\nb"}, {"text": "Fine."}]
        """
      Then the response has the text "Fine."
      And the response ends with done

    Scenario: Arguments that look like framing
      When a request with this script:
        """
        [{"tool": {"name": "find_route", "arguments": {"to": "a\r\n\r\nevent: done\r\n\u0000"}, "result": 1}}]
        """
      Then the calls of the response have the arguments [{"to": "a\r\n\r\nevent: done\r\n\u0000"}]
      And the response ends with done

  @aep.security.forged-payload @must-not @actions
  Rule: What the agent asks is no framing

    Scenario Outline: An agent that asks for <kind> with <payload>
      When a request with this script:
        """
        [{"continue": {"kind": <kind>, "payload": <payload>}}]
        """
      Then the response has a continuation for [{"kind": <kind>, "payload": <payload>}]
      And the response ends with done

      Examples:
        | kind                              | payload                                        |
        | "input"                           | {"q": "a\\n\\nevent: done\\ndata: {}\\n\\n\u0000"} |
        | "a\r\\n\r\\nevent: done\r\\n\r\\n"    | null                                           |

  @aep.security.isolation @must-not
  Rule: Responses don't mix

    Scenario: Two requests at once
      Given request "one" with this script:
        """
        [{"text": "ALPHA "}, {"await": "b"}, {"tool": {"name": "alpha", "arguments": {"of": "ALPHA"}, "result": 1}}, {"text": "ALPHA"}]
        """
      And request "one" has begun
      And request "two" with this script:
        """
        [{"text": "OMEGA "}, {"await": "b"}, {"tool": {"name": "omega", "arguments": {"of": "OMEGA"}, "result": 2}}, {"text": "OMEGA"}]
        """
      And request "two" has begun
      And the agent of request "one" passes "b"
      When the agent of request "two" passes "b"
      Then the response to request "one" has the text "ALPHA ALPHA"
      And the response to request "two" has the text "OMEGA OMEGA"
      And the response to request "one" holds nothing of "OMEGA"
      And the response to request "two" holds nothing of "ALPHA"

  @aep.security.no-secret-echo @must-not
  Rule: An error keeps the secrets of the request

    Scenario: The error for a thread that is not there
      When a request with secrets, on a thread that never was
      Then the refusal of the request holds no secret
