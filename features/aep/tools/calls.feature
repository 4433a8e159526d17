Feature: Tool calls

  @aep.tools.call @must
  Rule: Every call is shown

    Scenario: One call
      When a request with this script:
        """
        [{"tool": {"name": "find_route", "arguments": {"to": "Bergen"}, "result": {"km": 463}}}]
        """
      Then the response has a tool_call of "find_route"

    Scenario: Three calls, two of one tool
      When a request with this script:
        """
        [{"tool": {"name": "clock", "arguments": {"zone": "Oslo"}, "result": "noon"}}, {"text": "And there?"},
         {"tool": {"name": "clock", "arguments": {"zone": "Tokyo"}, "result": "night"}}, {"tool": {"name": "find_route", "arguments": {}, "error": "no road"}}]
        """
      Then the response has a tool_call of "clock", "clock", "find_route"

  @aep.tools.named @should
  Rule: A call names its tool

    Scenario: Two calls with names
      When a request with this script:
        """
        [{"text": "One moment."}, {"tool": {"name": "find_route", "arguments": {"to": "Bergen", "via": ["Finse", null], "km": 463.5}, "result": {"km": 463}, "summary": "463 km"}}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.tools.fragments @should
  Rule: A piece of a call is text

    Scenario: A call with a summary
      When a request with this script:
        """
        [{"tool": {"name": "find_route", "arguments": {"to": "Bergen", "via": ["Finse", null], "km": 463.5}, "result": {"km": 463}, "summary": "463 km"}}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.tools.one-value @must
  Rule: The pieces are one value

    Scenario: A call of many arguments
      When a request with this script:
        """
        [{"tool": {"name": "find_route", "arguments": {"to": "Bergen", "via": ["Finse", null], "km": 463.5}, "result": {"km": 463}, "summary": "463 km"}}, {"text": "It is far."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.tools.arguments @must
  Rule: Arguments arrive as they were given

    Scenario Outline: The arguments <arguments>
      When a request with this script:
        """
        [{"tool": {"name": "find_route", "arguments": <arguments>, "result": true}}]
        """
      Then the calls of the response have the arguments [<arguments>]

      Examples:
        | arguments                                                            |
        | {"to": "Bergen", "via": ["Finse", null], "km": 463.5, "fast": false} |
        | {"nested": {"deep": {"er": []}}, "empty": ""}                        |
        | {"text": "a \"quote\", a \\\\ and a line\\nbreak 😀"}                  |
        | {}                                                                   |
        | {"large": 9007199254740991, "small": -0.000001}                      |

    Scenario: Two calls, each with its arguments
      When a request with this script:
        """
        [{"tool": {"name": "clock", "arguments": {"zone": 1}, "result": "noon"}}, {"tool": {"name": "clock", "arguments": {"zone": 9, "dst": false}, "result": "night"}}]
        """
      Then the calls of the response have the arguments [{"zone": 1}, {"zone": 9, "dst": false}]

  @aep.tools.final-arguments @must
  Rule: The whole of a call is its pieces

    Scenario: Two calls with arguments
      When a request with this script:
        """
        [{"tool": {"name": "find_route", "arguments": {"to": "Bergen", "via": ["Finse", null], "km": 463.5}, "result": {"km": 463}, "summary": "463 km"}}, {"tool": {"name": "clock", "arguments": {"zone": "Oslo"}, "result": "noon"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule
