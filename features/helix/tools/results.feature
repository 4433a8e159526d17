@runtime
Feature: Results of tools

  @helix.tools.success @must
  Rule: The end of a call says whether it worked

    Scenario: A call that works and one that doesn't
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"error":"no road"}},{"tool":{"name":"find_ship","arguments":{},"result":null}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_end","toolName":"find_route","success":false}
        {"type":"tool_end","toolName":"find_ship","success":true}
        """
      And no exchange of this scenario breaks this rule

  @helix.tools.outcome @must
  Rule: A call that failed says why, and no other

    Scenario: One call fails and the next one works
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"error":"no road"}},{"tool":{"name":"find_ship","arguments":{},"result":1}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_end","toolName":"find_route","success":false,"error":"$text"}
        {"type":"tool_end","toolName":"find_ship","success":true}
        """
      And no exchange of this scenario breaks this rule

    Scenario: A call that fails without a word
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"error":""}},{"text":"Then by sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_end","toolName":"find_route","success":false,"error":"$text"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: A call that returns an error of its own
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"result":{"error":"no road","success":false}}},{"text":"Then by sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_end","toolName":"find_route","success":true,"result":{"error":"no road","success":false}}
        """
      And no exchange of this scenario breaks this rule

  @helix.tools.result @must
  Rule: The end of a call has its result

    Scenario Outline: A tool returns <result>
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{"to":"Bergen"},"result":<result>}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_end","toolName":"find_route","result":<result>}
        """

      Examples:
        | result                               |
        | {"km":463,"via":["Voss",{"h":null}]} |
        | "by sea"                             |
        | "{\\"km\\":463}"                     |
        | {"error":"no road","success":false}  |
        | ["Voss",[]]                          |
        | 0                                    |
        | false                                |
        | null                                 |
        | ""                                   |
        | []                                   |
        | {}                                   |

    Scenario: A tool fails
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{"to":"Bergen"},"error":"no road"}},{"text":"Then by sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_end","toolName":"find_route","error":"no road"}
        """

    Scenario: Each call has its own result
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"result":"first"}},{"tool":{"name":"find_route","arguments":{},"result":"second"}}]
        [{"tool":{"name":"find_route","arguments":{},"error":"third"}},{"tool":{"name":"find_route","arguments":{},"result":"fourth"}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_end","result":"first"}
        {"type":"tool_end","result":"second"}
        {"type":"tool_end","error":"third"}
        {"type":"tool_end","result":"fourth"}
        """

    @no-transcript:the-calls-run-side-by-side
    Scenario: The second of two calls side by side ends first
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"find_route","arguments":{},"result":"by rail","waits":"one"}}],[{"tool":{"name":"find_ship","arguments":{},"result":"by sea","waits":"two"}}]]}]
        """
      And the client attaches
      And the run is settled
      And barrier "two" is released
      And the run is settled
      When barrier "one" is released
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$route","toolName":"find_route"}
        {"type":"tool_end","toolCallId":"$route","result":"by rail"}
        """
      And the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$ship","toolName":"find_ship"}
        {"type":"tool_end","toolCallId":"$ship","result":"by sea"}
        """

  @helix.tools.failure-goes-on @must-not
  Rule: The stream goes on after a tool that failed

    Scenario: The model tries something else
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{"to":"Bergen"},"error":"no road"}},{"text":"Then by sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_end","toolName":"find_route"}
        {"type":"text_delta"}
        """

    Scenario: Two tools fail in a row, and one in the next step
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"error":"no road"}},{"tool":{"name":"find_flight","arguments":{},"error":"no airport"}}]
        [{"tool":{"name":"find_ship","arguments":{},"error":"no harbour"}},{"text":"On foot then."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_end","toolName":"find_route"}
        {"type":"tool_end","toolName":"find_flight"}
        {"type":"tool_end","toolName":"find_ship"}
        {"type":"text_delta"}
        """

    @no-transcript:the-calls-run-side-by-side
    Scenario: One of two tools side by side fails
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"find_route","arguments":{},"error":"no road","waits":"lost"}}],[{"tool":{"name":"find_ship","arguments":{},"result":1,"waits":"go"}}]]},{"text":"By sea."}]
        """
      And the client attaches
      And the run is settled
      And barrier "lost" is released
      And the run is settled
      When barrier "go" is released
      Then the client receives, in this order:
        """
        {"type":"tool_end","toolName":"find_ship"}
        {"type":"text_delta"}
        """
