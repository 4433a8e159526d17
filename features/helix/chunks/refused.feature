Feature: What a server takes in as a chunk

  A chunk that breaks the protocol is stopped where it is written. What a
  reader receives is valid, whoever wrote it.

  Background:
    Given a stream that holds event 1
    And an attached client

  @helix.chunks.object @must
  Rule: A chunk is an object with a type

    Scenario Outline: Writing <what> as a chunk
      When the writer tries to write the value <value>
      Then the client receives nothing that breaks this rule

      Examples:
        | what                    | value                                                                                     |
        | a string                | "hello"                                                                                   |
        | a number                | 7                                                                                         |
        | an array in an array    | [[{"type":"text_delta"}]]                                                                 |
        | an object without type  | {"agentId":"agent-1","agentType":"assistant","timestamp":1702329600000,"delta":"a"}          |
        | a type that is a number | {"type":7,"agentId":"agent-1","agentType":"assistant","timestamp":1702329600000,"delta":"a"} |
        | an empty type           | {"type":"","agentId":"agent-1","agentType":"assistant","timestamp":1702329600000}           |

  @helix.chunks.agent-id @must
  Rule: A chunk names its agent

    Scenario: Writing a chunk without an agentId
      When the writer tries to write a text_delta chunk with {"delta":"a"} but no "agentId"
      Then the client receives nothing that breaks this rule

    Scenario Outline: Writing the agentId <value>
      When the writer tries to write a text_delta chunk with {"delta":"a","agentId":<value>}
      Then the client receives nothing that breaks this rule

      Examples:
        | value |
        | ""    |
        | 7     |
        | null  |

  @helix.chunks.agent-type @must
  Rule: A chunk names the type of its agent

    Scenario: Writing a chunk without an agentType
      When the writer tries to write a text_delta chunk with {"delta":"a"} but no "agentType"
      Then the client receives nothing that breaks this rule

    Scenario Outline: Writing the agentType <value>
      When the writer tries to write a text_delta chunk with {"delta":"a","agentType":<value>}
      Then the client receives nothing that breaks this rule

      Examples:
        | value |
        | ""    |
        | false |

  @helix.chunks.timestamp @must
  Rule: A chunk says when it was made

    Scenario: Writing a chunk without a timestamp
      When the writer tries to write a text_delta chunk with {"delta":"a"} but no "timestamp"
      Then the client receives nothing that breaks this rule

    Scenario: Writing a timestamp that is a string
      When the writer tries to write a text_delta chunk with {"delta":"a","timestamp":"2023-12-11T21:20:00Z"}
      Then the client receives nothing that breaks this rule

  @helix.chunks.step @must
  Rule: A step is a non-negative integer

    Scenario Outline: Writing the step <value>
      When the writer tries to write a text_delta chunk with {"delta":"a","step":<value>}
      Then the client receives nothing that breaks this rule

      Examples:
        | value |
        | -1    |
        | "1"   |

  @helix.chunks.step-required @must
  Rule: Some chunks name their step

    Scenario Outline: Writing <type> without a step
      When the writer tries to write a <type> chunk with <members>
      Then the client receives nothing that breaks this rule

      Examples:
        | type           | members                                                                             |
        | error          | {"error":"it broke","recoverable":true}                                             |
        | subagent_start | {"subAgentType":"researcher","subSessionId":"agent-2","callId":"call-1"}             |
        | subagent_end   | {"subAgentType":"researcher","subSessionId":"agent-2","callId":"call-1","result":{}} |

  @helix.chunks.integers @must
  Rule: Counts are integers that every reader can hold

    Scenario Outline: Writing the number <what>
      When the writer tries to write a <type> chunk with <members>
      Then the client receives nothing that breaks this rule

      Examples:
        | what                   | type               | members                                                                                              |
        | a step of 2^53         | text_delta         | {"delta":"a","step":9007199254740992}                                                                |
        | a step of 1.5          | text_delta         | {"delta":"a","step":1.5}                                                                             |
        | a stepCount of 0.5     | checkpoint_created | {"runId":"run-1","checkpointId":"cp-1","stepCount":0.5}                                              |
        | a messageCount of 2^53 | stream_resync      | {"checkpointId":"cp-1","stepCount":1,"messageCount":9007199254740992,"fromSequence":1,"reason":"branch"} |

  @helix.chunks.members @must
  Rule: A chunk of a known type has the members of its type

    Scenario Outline: A broken <type> never reaches a reader
      When the writer tries to write a <type> chunk with <members>
      Then the client receives nothing that breaks this rule

      Examples:
        | type                | members                                                                                             |
        | text_delta          | {}                                                                                                  |
        | thinking            | {"content":"hm"}                                                                                    |
        | tool_start          | {"toolCallId":"call-1","arguments":{}}                                                              |
        | tool_end            | {"toolName":"search","success":true,"result":1}                                                     |
        | subagent_start      | {"step":1,"subAgentType":"researcher","subSessionId":"agent-2"}                                     |
        | subagent_end        | {"step":1,"subSessionId":"agent-2","callId":"call-1","result":{}}                                   |
        | custom              | {"data":1}                                                                                          |
        | state_patch         | {"patches":{"op":"add"}}                                                                            |
        | error               | {"step":1,"error":"it broke"}                                                                       |
        | output              | {}                                                                                                  |
        | run_interrupted     | {"checkpointId":null}                                                                               |
        | run_resumed         | {"runId":"run-2","fromCheckpointId":null,"fromStepCount":1}                                         |
        | run_paused          | {"runId":"run-1"}                                                                                   |
        | checkpoint_created  | {"runId":"run-1","stepCount":1}                                                                     |
        | step_committed      | {"runId":"run-1","checkpointId":"cp-1"}                                                             |
        | step_discarded      | {"runId":"run-1","stepId":"step-1"}                                                                 |
        | stream_resync       | {"checkpointId":"cp-1","stepCount":1,"messageCount":1,"fromSequence":1,"reason":"because"}           |

  @helix.chunks.invalid-refused @must
  Rule: A chunk that lacks what its type requires is refused

    Scenario Outline: Refusing a broken <type>
      When the writer tries to write a <type> chunk with <members>
      Then the write is refused
      And nothing else reaches the client

      Examples:
        | type                | members                                                                                             |
        | text_delta          | {"delta":7}                                                                                         |
        | thinking            | {"content":"hm","isComplete":"no"}                                                                  |
        | tool_start          | {"toolName":"search","arguments":{}}                                                                |
        | tool_end            | {"toolName":"search","success":true,"result":1}                                                     |
        | subagent_start      | {"step":1,"subAgentType":"researcher","callId":"call-1"}                                            |
        | subagent_end        | {"step":1,"subAgentType":"researcher","subSessionId":"agent-2","result":{}}                         |
        | custom              | {"eventName":7,"data":1}                                                                            |
        | state_patch         | {"patches":[{"op":"add","value":1}]}                                                                |
        | error               | {"step":1,"recoverable":true}                                                                       |
        | output              | {}                                                                                                  |
        | run_interrupted     | {"runId":7,"checkpointId":null}                                                                     |
        | run_resumed         | {"runId":"run-2","fromCheckpointId":null,"fromStepCount":"1","mode":"continue"}                     |
        | run_paused          | {"reason":"waiting"}                                                                                |
        | checkpoint_created  | {"runId":"run-1","checkpointId":7,"stepCount":1}                                                    |
        | step_committed      | {"runId":"run-1","stepId":"step-1"}                                                                 |
        | step_discarded      | {"stepId":"step-1","reason":"rolled back"}                                                          |
        | stream_resync       | {"checkpointId":"cp-1","stepCount":1,"messageCount":1,"reason":"branch"}                            |

  @helix.chunks.all-or-nothing @must @arrays
  Rule: An array is stored whole or not at all

    Scenario: An invalid chunk between two valid ones
      When the writer tries to write an array whose second chunk is invalid
      Then the write is refused
      And nothing else reaches the client
