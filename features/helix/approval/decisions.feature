@runtime @approval
Feature: Tools that need consent

  @helix.approval.requested @must
  Rule: Every call that needs consent asks for it

    Scenario: One call
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}}]
        """
      And the run is settled
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_approval_request"}
        """

    Scenario: The same tool again, in the same step and in the next
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}},{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}}]
        [{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}}]
        """
      And the waiting call is approved
      And the waiting call is approved
      And the run is settled
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_approval_request"}
        {"type":"tool_end"}
        {"type":"tool_approval_request"}
        {"type":"tool_end"}
        {"type":"tool_approval_request"}
        """

    Scenario: A call after one that was denied
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":500},"result":"paid","approval":true}},{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}}]
        """
      And the waiting call is denied
      And the run is settled
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_approval_request"}
        {"type":"tool_end"}
        {"type":"tool_approval_request"}
        """

    @no-transcript:the-calls-run-side-by-side
    Scenario: Two calls side by side
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}}],[{"tool":{"name":"delete","arguments":{"n":1},"result":"gone","approval":true}}]]}]
        """
      And the waiting call is approved
      And the waiting call is approved
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_approval_request"}
        {"type":"tool_approval_request"}
        """

  @helix.approval.waits @must-not
  Rule: No call ends before it was decided

    Scenario: Nobody has decided
      Given a run of this script:
        """
        [{"text":"I would pay."},{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}},{"text":"Paid."}]
        """
      And the run is settled
      When the client attaches
      Then the client receives no chunk with {"type":"tool_end","toolName":"pay"} beside one with {"type":"tool_approval_request"}

    Scenario: Nobody has decided on the second call
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}},{"tool":{"name":"delete","arguments":{"n":1},"result":"gone","approval":true}}]
        """
      And the waiting call is approved
      And the run is settled
      When the client attaches
      Then the client receives no chunk with {"type":"tool_end","toolName":"delete"} beside one with {"type":"tool_approval_request"}

    @no-transcript:the-calls-run-side-by-side
    Scenario: Another call ends meanwhile
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}}],[{"tool":{"name":"find_route","arguments":{},"result":1}}]]}]
        """
      And the run is settled
      When the client attaches
      Then the client receives no chunk with {"type":"tool_end","toolName":"pay"} beside one with {"type":"tool_approval_request"}

  @helix.approval.suspended @must-not
  Rule: What follows a call waits with it

    Scenario: What the agent would say
      Given a run of this script:
        """
        [{"text":"I would pay. "},{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}},{"text":"Paid."}]
        [{"text":"Bye."}]
        """
      And the run is settled
      When the client attaches
      Then for the client the text of the agent is "I would pay. "

    Scenario: What the agent would say after a second decision
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}},{"text":"Paid. "},{"tool":{"name":"delete","arguments":{"n":1},"result":"gone","approval":true}},{"text":"Gone."}]
        """
      And the waiting call is approved
      And the run is settled
      When the client attaches
      Then for the client the text of the agent is "Paid. "

    Scenario: The executor crashes meanwhile
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}},{"text":"Paid."}]
        """
      And the run is settled
      And the executor of the run crashes
      And the run recovers
      When the client attaches
      Then the client receives no chunk with {"type":"tool_end","toolName":"pay"}
      And the client receives no chunk with {"type":"text_delta"}

    Scenario: The decision comes after a crash
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}},{"text":"Paid."}]
        """
      And the run is settled
      And the executor of the run crashes
      And the run recovers
      And the waiting call is approved
      When the client attaches
      Then the client receives 1 chunk with {"type":"tool_end","toolName":"pay","result":"paid"}

  @helix.approval.survives @must
  Rule: Who comes later gets the request

    Scenario: A reader attaches while a decision is pending
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is settled
      Then a fresh client receives, in this order:
        """
        {"type":"tool_approval_request"}
        """

    Scenario: A reader attaches while a second decision is pending
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}}]
        [{"tool":{"name":"delete","arguments":{"n":1},"result":"gone","approval":true}}]
        """
      And the waiting call is approved
      And the run is settled
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_end","toolName":"pay"}
        {"type":"tool_approval_request"}
        """

  @helix.approval.fails-closed @must
  Rule: A gate that fails asks

    Scenario: The gate is broken
      Given a run of this script:
        """
        [{"text":"I would pay."},{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":"broken"}}]
        """
      And the run is settled
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_approval_request"}
        """
      And the client receives no chunk with {"type":"tool_end","toolName":"pay"}

    Scenario: The gate breaks after it has worked
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}}]
        [{"tool":{"name":"pay_again","arguments":{"eur":5},"result":"paid","approval":"broken"}}]
        """
      And the waiting call is approved
      And the run is settled
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_approval_request"}
        {"type":"tool_end","toolName":"pay"}
        {"type":"tool_approval_request"}
        """
      And the client receives no chunk with {"type":"tool_end","toolName":"pay_again"}

  @helix.approval.request-members @should
  Rule: A request says what is asked

    Scenario: A request for a call with arguments, and one for a call without
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":"{\"eur\":5}","result":"paid","approval":true}},{"tool":{"name":"delete","result":"gone","approval":true}}]
        """
      And the waiting call is approved
      And the waiting call is approved
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_approval_request","toolCallId":"$pay","toolName":"pay","arguments":{"eur":5}}
        {"type":"tool_approval_request","toolCallId":"$delete","toolName":"delete","arguments":{}}
        """
      And no exchange of this scenario breaks this rule

  @helix.approval.paused @should
  Rule: A run that waits says for what

    Scenario: A decision was pending
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}}]
        """
      And the waiting call is approved
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"run_paused","pendingToolName":"pay","pendingToolCallId":"$call"}
        {"type":"tool_end","toolCallId":"$call"}
        """

    Scenario: A second decision was pending
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}}]
        [{"tool":{"name":"delete","arguments":{"n":1},"result":"gone","approval":true}}]
        """
      And the waiting call is approved
      And the waiting call is denied
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"run_paused","pendingToolName":"pay"}
        {"type":"run_paused","pendingToolName":"delete","pendingToolCallId":"$call"}
        {"type":"tool_end","toolCallId":"$call"}
        """

    Scenario: A decision is pending
      Given a run of this script:
        """
        [{"text":"I would pay."},{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}}]
        """
      And the client attaches
      When the run is settled
      Then the client receives, in this order:
        """
        {"type":"text_delta"}
        {"type":"run_paused","pendingToolName":"pay","pendingToolCallId":"$call"}
        """

  @helix.approval.granted @must
  Rule: A call that was approved ends with its result

    Scenario: Approved
      Given a run of this script:
        """
        [{"text":"I would pay."},{"tool":{"name":"pay","arguments":{"eur":5},"result":{"paid":5},"approval":true}},{"text":" Paid."}]
        """
      And the waiting call is approved
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$call","toolName":"pay"}
        {"type":"tool_end","toolCallId":"$call","result":{"paid":5}}
        {"type":"text_delta"}
        """
      And the client receives 1 chunk with {"type":"tool_end","toolName":"pay"}

    Scenario: Approved after another call was denied
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":500},"result":"much","approval":true}},{"tool":{"name":"pay_less","arguments":{"eur":5},"result":"little","approval":true}}]
        """
      And the waiting call is denied
      And the waiting call is approved
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$call","toolName":"pay_less"}
        {"type":"tool_end","toolCallId":"$call","result":"little"}
        """
      And the client receives 1 chunk with {"type":"tool_end","toolName":"pay_less"}

    Scenario: Approved, and the tool fails
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":5},"error":"no money","approval":true}},{"text":"No money left."}]
        """
      And the waiting call is approved
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolCallId":"$call","toolName":"pay"}
        {"type":"tool_end","toolCallId":"$call","error":"no money"}
        """

  @helix.approval.denied @must
  Rule: A call that was denied says so

    Scenario: Denied
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}},{"text":"Then not."}]
        """
      And the waiting call is denied
      When the client attaches
      Then the client receives the end of a call of "pay" that says "Tool call was not approved by the user"

    Scenario: Denied after another call was approved
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"eur":5},"result":"paid","approval":true}}]
        [{"tool":{"name":"delete","arguments":{"n":1},"result":"gone","approval":true}},{"text":"Then not."}]
        """
      And the waiting call is approved
      And the waiting call is denied
      When the client attaches
      Then the client receives the end of a call of "delete" that says "Tool call was not approved by the user"
