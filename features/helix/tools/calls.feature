@runtime
Feature: Tool calls

  @helix.tools.reported @must
  Rule: Every call has a start and an end

    Scenario: A call that works
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{"to":"Bergen"},"result":{"km":463}}},{"text":"Four days."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$call","toolName":"find_route"}
        {"type":"tool_end","toolCallId":"$call"}
        """

    Scenario: A call that fails
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{"to":"Bergen"},"error":"no road"}},{"text":"Then by sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$call","toolName":"find_route"}
        {"type":"tool_end","toolCallId":"$call"}
        """

    Scenario: A call that returns nothing
      Given a run of this script:
        """
        [{"tool":{"name":"wait"}},{"text":"On we go."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$call","toolName":"wait"}
        {"type":"tool_end","toolCallId":"$call"}
        """

    Scenario: Calls in three steps
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"result":1}},{"tool":{"name":"find_route","arguments":{},"error":"no road"}}]
        [{"tool":{"name":"book","arguments":{},"result":2}}]
        [{"text":"Once more."},{"tool":{"name":"book","arguments":{},"result":2}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$a","toolName":"find_route"}
        {"type":"tool_end","toolCallId":"$a"}
        {"type":"tool_start","toolCallId":"$b","toolName":"find_route"}
        {"type":"tool_end","toolCallId":"$b"}
        {"type":"tool_start","toolCallId":"$c","toolName":"book"}
        {"type":"tool_end","toolCallId":"$c"}
        {"type":"tool_start","toolCallId":"$d","toolName":"book"}
        {"type":"tool_end","toolCallId":"$d"}
        """

    Scenario: A call that is at work
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"result":1,"waits":"found"}},{"text":"Found."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$call","toolName":"find_route"}
        """

    @no-transcript:the-calls-run-side-by-side
    Scenario: Three calls side by side, one of which fails
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"find_route","arguments":{},"result":1,"waits":"go"}}],[{"tool":{"name":"book","arguments":{},"error":"full","waits":"go"}}],[{"tool":{"name":"pay","arguments":{},"result":3,"waits":"go"}}]]}]
        """
      And the client attaches
      And the run is settled
      When barrier "go" is released
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$a","toolName":"find_route"}
        {"type":"tool_end","toolCallId":"$a"}
        """
      And the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$b","toolName":"book"}
        {"type":"tool_end","toolCallId":"$b"}
        """
      And the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$c","toolName":"pay"}
        {"type":"tool_end","toolCallId":"$c"}
        """

  @helix.tools.start-first @must
  Rule: A call starts before it ends

    Scenario: A call that works and one that fails
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"error":"no road"}},{"tool":{"name":"find_ship","arguments":{},"result":1}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$route"}
        {"type":"tool_end","toolCallId":"$route"}
        {"type":"tool_start","toolCallId":"$ship"}
        {"type":"tool_end","toolCallId":"$ship"}
        """
      And no exchange of this scenario breaks this rule

  @helix.tools.ended @must
  Rule: No call is open when the stream ends

    Scenario: Calls of two steps
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"error":"no road"}},{"tool":{"name":"find_ship","arguments":{},"result":1}}]
        [{"tool":{"name":"find_ship","arguments":{},"result":2}}]
        """
      When the client attaches
      Then the client receives 1 chunk with {"type":"tool_end","toolName":"find_route"}
      And the client receives 2 chunks with {"type":"tool_end","toolName":"find_ship"}
      And no exchange of this scenario breaks this rule

    @no-transcript:the-calls-run-side-by-side
    Scenario: Calls that were open at once
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"find_route","arguments":{},"result":1,"waits":"go"}}],[{"tool":{"name":"find_ship","arguments":{},"result":2,"waits":"go"}}]]}]
        """
      And the run is settled
      And barrier "go" is released
      When the client attaches
      Then the client receives 1 chunk with {"type":"tool_end","toolName":"find_route"}
      And the client receives 1 chunk with {"type":"tool_end","toolName":"find_ship"}
      And no exchange of this scenario breaks this rule

  @helix.tools.end-once @must
  Rule: A call ends once

    Scenario: Calls that return and fail
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"error":"no road"}},{"tool":{"name":"find_ship","arguments":{},"result":1}}]
        [{"tool":{"name":"find_ship","arguments":{},"result":2}}]
        """
      When the client attaches
      Then for the client the toolCallId of each tool_end chunk never repeats
      And no exchange of this scenario breaks this rule

  @helix.tools.unique-id @must
  Rule: Each call has its own id

    Scenario: The same call again, in the same step and in the next
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{"to":"Bergen"},"result":1}},{"tool":{"name":"find_route","arguments":{"to":"Bergen"},"result":1}}]
        [{"tool":{"name":"find_route","arguments":{"to":"Bergen"},"result":1}}]
        """
      When the client attaches
      Then for the client the toolCallId of each tool_start chunk never repeats
      And no exchange of this scenario breaks this rule

  @helix.tools.same-name @must
  Rule: A call ends under the name of its tool

    Scenario: Two tools, and one that fails
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"error":"no road"}},{"tool":{"name":"find_ship","arguments":{},"result":1}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$route","toolName":"find_route"}
        {"type":"tool_end","toolCallId":"$route","toolName":"find_route"}
        {"type":"tool_start","toolCallId":"$ship","toolName":"find_ship"}
        {"type":"tool_end","toolCallId":"$ship","toolName":"find_ship"}
        """
      And no exchange of this scenario breaks this rule

    @no-transcript:the-calls-run-side-by-side
    Scenario: Two tools side by side
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"find_route","arguments":{},"result":1,"waits":"go"}}],[{"tool":{"name":"find_ship","arguments":{},"result":2,"waits":"go"}}]]}]
        """
      And the run is settled
      And barrier "go" is released
      When the client attaches
      Then the client receives 1 chunk with {"type":"tool_end","toolName":"find_route"}
      And the client receives 1 chunk with {"type":"tool_end","toolName":"find_ship"}
      And no exchange of this scenario breaks this rule

  @helix.tools.same-agent @must
  Rule: A call belongs to one agent

    Scenario: Calls in two steps
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"error":"no road"}}]
        [{"tool":{"name":"find_ship","arguments":{},"result":1}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","agentId":"$agent"}
        {"type":"tool_end","agentId":"$agent"}
        {"type":"tool_start","agentId":"$agent"}
        {"type":"tool_end","agentId":"$agent"}
        """
      And no exchange of this scenario breaks this rule

  @helix.tools.clock @should
  Rule: A call doesn't end before it started

    Scenario: A call that takes its time
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"result":1}}]
        [{"tool":{"name":"find_ship","arguments":{},"result":2,"waits":"found"}}]
        """
      And the client attaches
      And the run is settled
      When barrier "found" is released
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$ship","toolName":"find_ship"}
        {"type":"tool_end","toolCallId":"$ship","success":true}
        """
      And no exchange of this scenario breaks this rule

  @helix.tools.client @should @client-tool
  Rule: A tool of the client ends when its result was handed in

    Scenario: Nothing was handed in yet
      Given a run of this script:
        """
        [{"text":"Which day?"},{"tool":{"name":"pick_day","arguments":{},"client":true}},{"text":"Good."}]
        """
      And the run is settled
      When the client attaches
      Then the client receives no chunk with {"type":"tool_end","toolName":"pick_day"} beside one with {"type":"tool_start","toolName":"pick_day"}
      And the stream of the client has not finished after a chunk with {"type":"tool_start","toolName":"pick_day"}

    Scenario: A result is handed in
      Given a run of this script:
        """
        [{"tool":{"name":"pick_day","arguments":{},"client":true}},{"text":"Good."}]
        """
      And the result {"day":"2024-12-04"} of the waiting call is handed in
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$call","toolName":"pick_day"}
        {"type":"tool_end","toolCallId":"$call","result":{"day":"2024-12-04"}}
        {"type":"text_delta"}
        """

    Scenario: An error is handed in
      Given a run of this script:
        """
        [{"tool":{"name":"pick_day","arguments":{},"client":true}},{"text":"Then today."}]
        """
      And the error "the user left" of the waiting call is handed in
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$call","toolName":"pick_day"}
        {"type":"tool_end","toolCallId":"$call","error":"the user left"}
        {"type":"text_delta"}
        """

    Scenario: A second tool of the client waits like the first
      Given a run of this script:
        """
        [{"tool":{"name":"pick_day","arguments":{},"client":true}}]
        [{"tool":{"name":"pick_seat","arguments":{},"client":true}}]
        """
      And the result "Monday" of the waiting call is handed in
      And the run is settled
      When the client attaches
      Then the client receives no chunk with {"type":"tool_end","toolName":"pick_seat"} beside one with {"type":"tool_start","toolName":"pick_seat"}
      And the stream of the client has not finished after a chunk with {"type":"tool_start","toolName":"pick_seat"}
