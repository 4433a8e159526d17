@mapping
Feature: What chunks become

  @helix-ui.mapping.chunks @must
  Rule: Each chunk becomes the parts of its row

    Scenario: A text_delta
      When a request with this script:
        """
        [{"chunk": {"type": "text_delta", "delta": "Plan"}}, {"chunk": {"type": "text_delta", "delta": " it"}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "start"},
         {"type": "start-step"},
         {"type": "text-start"},
         {"type": "text-delta", "delta": "Plan it"},
         {"type": "text-end"},
         {"type": "finish-step"},
         {"type": "finish"}]
        """

    Scenario: A thinking in increments
      When a request with this script:
        """
        [{"chunk": {"type": "thinking", "content": "First ", "isComplete": false}}, {"chunk": {"type": "thinking", "content": "dates", "isComplete": false}}, {"chunk": {"type": "thinking", "content": "First dates", "isComplete": true}}, {"text": "When?"}]
        """
      Then the response has these parts in order:
        """
        [{"type": "reasoning-start"},
         {"type": "reasoning-delta", "delta": "First dates"},
         {"type": "reasoning-end"},
         {"type": "text-start"}]
        """

    Scenario: A thinking that is complete
      When a request with this script:
        """
        [{"chunk": {"type": "thinking", "content": "All at once", "isComplete": true}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "reasoning-start"},
         {"type": "reasoning-delta", "delta": "All at once"},
         {"type": "reasoning-end"}]
        """

    Scenario: A tool_start and a tool_end
      When a request with this script:
        """
        [{"chunk": {"type": "tool_start", "toolCallId": "c1", "toolName": "find_route", "arguments": {"to": "Bergen"}}}, {"chunk": {"type": "tool_end", "toolCallId": "c1", "toolName": "find_route", "success": true, "result": {"km": 463}}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "tool-input-available", "toolCallId": "c1", "toolName": "find_route", "input": {"to": "Bergen"}},
         {"type": "tool-output-available", "toolCallId": "c1", "output": {"km": 463}}]
        """

    Scenario: A tool_start without a tool_end
      When a request with this script:
        """
        [{"chunk": {"type": "tool_start", "toolCallId": "c1", "toolName": "find_route", "arguments": {"to": "Bergen"}}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "tool-input-available", "toolCallId": "c1", "input": {"to": "Bergen"}},
         {"type": "finish"}]
        """

    Scenario: A tool_end with an error
      When a request with this script:
        """
        [{"chunk": {"type": "tool_start", "toolCallId": "c1", "toolName": "find_route", "arguments": {}}}, {"chunk": {"type": "tool_end", "toolCallId": "c1", "toolName": "find_route", "success": false, "result": null, "error": "no road"}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "tool-input-available", "toolCallId": "c1"},
         {"type": "tool-output-error", "toolCallId": "c1"}]
        """

    Scenario: A tool_approval_request
      When a request with this script:
        """
        [{"chunk": {"type": "tool_start", "toolCallId": "c1", "toolName": "pay", "arguments": {"nok": 900}}}, {"chunk": {"type": "tool_approval_request", "toolCallId": "c1", "toolName": "pay", "arguments": {"nok": 900}}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "tool-input-available", "toolCallId": "c1", "input": {"nok": 900}},
         {"type": "tool-approval-request", "toolCallId": "c1"},
         {"type": "finish"}]
        """

    Scenario: A subagent_start and a subagent_end
      When a request with this script:
        """
        [{"chunk": {"type": "subagent_start", "subAgentType": "researcher", "subSessionId": "s-1", "callId": "c3"}}, {"chunk": {"type": "subagent_end", "subAgentType": "researcher", "subSessionId": "s-1", "callId": "c3", "result": {"found": 3}}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "data-subagent", "id": "c3", "data": {"type": "subagent_start", "subAgentType": "researcher", "subSessionId": "s-1", "callId": "c3"}},
         {"type": "data-subagent", "id": "c3", "data": {"type": "subagent_end", "subAgentType": "researcher", "subSessionId": "s-1", "callId": "c3", "result": {"found": 3}}}]
        """

    Scenario: A custom
      When a request with this script:
        """
        [{"chunk": {"type": "custom", "eventName": "progress", "data": {"done": 3, "of": 9}}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "data-progress", "data": {"done": 3, "of": 9}}]
        """

    Scenario: A state_patch
      When a request with this script:
        """
        [{"chunk": {"type": "state_patch", "patches": [{"op": "add", "path": "/km", "value": 463}]}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "data-state", "data": [{"op": "add", "path": "/km", "value": 463}]}]
        """

    Scenario: An output
      When a request with this script:
        """
        [{"chunk": {"type": "output", "output": {"route": ["Oslo", "Bergen"]}}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "data-output", "data": {"route": ["Oslo", "Bergen"]}}]
        """

    Scenario: An error that can be recovered
      When a request with this script:
        """
        [{"chunk": {"type": "error", "error": "the model is busy", "code": "provider_overloaded", "recoverable": true}}, {"chunk": {"type": "text_delta", "delta": "Here."}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "data-error", "data": {"type": "error", "error": "the model is busy", "code": "provider_overloaded", "recoverable": true}},
         {"type": "text-delta", "delta": "Here."},
         {"type": "finish"}]
        """

    Scenario: An error that ends the run
      When a request with this script:
        """
        [{"chunk": {"type": "error", "error": "the model is gone", "recoverable": false}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "start"},
         {"type": "error"}]
        """

    Scenario: A step_committed
      When a request with this script:
        """
        [{"text": "One."}, {"chunk": {"type": "step_committed", "runId": "r1", "stepId": "s1", "checkpointId": "cp-1"}}, {"text": "Two."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "text-end"},
         {"type": "finish-step"},
         {"type": "start-step"},
         {"type": "text-start"}]
        """

    Scenario: A checkpoint_created and an executor_superseded
      When a request with this script:
        """
        [{"chunk": {"type": "checkpoint_created", "runId": "r1", "checkpointId": "cp-1", "stepCount": 1}}, {"chunk": {"type": "executor_superseded", "reason": "another took over"}}, {"chunk": {"type": "text_delta", "delta": "Go on."}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "start"},
         {"type": "text-delta", "delta": "Go on."}]
        """

    Scenario: A run_interrupted
      When a request with this script:
        """
        [{"chunk": {"type": "text_delta", "delta": "It is"}}, {"chunk": {"type": "run_interrupted", "runId": "r1", "checkpointId": null, "reason": "stopped by the user"}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "text-delta", "delta": "It is"},
         {"type": "abort", "reason": "stopped by the user"}]
        """

    Scenario: A run_paused and a run_resumed
      When a request with this script:
        """
        [{"chunk": {"type": "run_resumed", "runId": "r2", "fromCheckpointId": "cp-1", "fromStepCount": 1, "mode": "continue"}}, {"chunk": {"type": "run_paused", "runId": "r2", "reason": "waits"}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "data-run", "data": {"type": "run_resumed", "runId": "r2", "fromCheckpointId": "cp-1", "fromStepCount": 1, "mode": "continue"}},
         {"type": "data-run", "data": {"type": "run_paused", "runId": "r2", "reason": "waits"}}]
        """

    Scenario: A step_discarded and a stream_resync
      When a request with this script:
        """
        [{"chunk": {"type": "step_discarded", "runId": "r1", "stepId": "s1", "reason": "interrupted"}}, {"chunk": {"type": "stream_resync", "checkpointId": "cp-4", "stepCount": 4, "messageCount": 6, "fromSequence": 31, "reason": "rollback"}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "data-resync", "data": {"type": "step_discarded", "runId": "r1", "stepId": "s1", "reason": "interrupted"}},
         {"type": "data-resync", "data": {"type": "stream_resync", "checkpointId": "cp-4", "stepCount": 4, "messageCount": 6, "fromSequence": 31, "reason": "rollback"}}]
        """

  @helix-ui.mapping.approval-first @should
  Rule: A request for approval may come first

    Scenario: A tool_approval_request without a tool_start
      When a request with this script:
        """
        [{"chunk": {"type": "tool_approval_request", "toolCallId": "c1", "toolName": "pay", "arguments": {"nok": 900}}}]
        """
      Then the response has these parts in order:
        """
        [{"type": "tool-input-available", "toolCallId": "c1", "toolName": "pay", "input": {"nok": 900}},
         {"type": "tool-approval-request", "toolCallId": "c1"},
         {"type": "finish"}]
        """

  @helix-ui.mapping.transient @should
  Rule: Parts that describe the work are transient

    Scenario: A patch and an error that can be recovered
      When a request with this script:
        """
        [{"chunk": {"type": "state_patch", "patches": [{"op": "add", "path": "/km", "value": 463}]}}, {"chunk": {"type": "error", "error": "the model is busy", "recoverable": true}}, {"text": "Here."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "data-state", "transient": true},
         {"type": "data-error", "transient": true}]
        """

    Scenario: A resumed run and a discarded step
      When a request with this script:
        """
        [{"chunk": {"type": "run_resumed", "runId": "r2", "fromCheckpointId": "cp-1", "fromStepCount": 1, "mode": "continue"}}, {"chunk": {"type": "step_discarded", "runId": "r2", "stepId": "s1", "reason": "interrupted"}}, {"text": "Here."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "data-run", "transient": true},
         {"type": "data-resync", "transient": true}]
        """

  @helix-ui.mapping.agents @must-not @agents
  Rule: Other agents don't speak in the message

    Scenario: A text of a sub-agent
      When a request with this script:
        """
        [{"text": "Mine. "}, {"chunk": {"type": "text_delta", "agentId": "child-1", "delta": "CHILD"}}, {"text": "Mine, too."}]
        """
      Then the response has nothing of "CHILD"
