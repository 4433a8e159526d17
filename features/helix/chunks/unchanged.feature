Feature: What a reader receives is what was written

  Background:
    Given a stream that holds event 1
    And an attached client

  @helix.chunks.types @must
  Rule: Every known type is delivered

    Scenario Outline: Delivering <type>
      When the writer writes a <type> chunk with <members>
      Then the client receives the chunk unchanged
      And nothing else reaches the client

      Examples:
        | type                | members                                                                                                                          |
        | text_delta          | {"runId":"run-1","delta":"Hello"}                                                                                                |
        | thinking            | {"runId":"run-1","content":"Let me see","isComplete":false}                                                                      |
        | tool_start          | {"runId":"run-1","toolCallId":"call-1","toolName":"search","arguments":{"query":"x"}}                                            |
        | tool_end            | {"runId":"run-1","toolCallId":"call-1","toolName":"search","success":true,"result":[1,2]}                                        |
        | subagent_start      | {"runId":"run-1","step":1,"subAgentType":"researcher","subSessionId":"agent-2","callId":"call-2"}                                |
        | subagent_end        | {"runId":"run-1","step":1,"subAgentType":"researcher","subSessionId":"agent-2","callId":"call-2","result":{"found":3}}           |
        | custom              | {"runId":"run-1","eventName":"progress","data":{"percent":40}}                                                                   |
        | state_patch         | {"runId":"run-1","patches":[{"op":"add","path":"/notes/-","value":"a"},{"op":"replace","path":"/count","value":2}]}              |
        | error               | {"runId":"run-1","step":2,"error":"the provider is busy","code":"provider_overloaded","recoverable":true}                        |
        | output              | {"runId":"run-1","output":{"answer":42}}                                                                                         |
        | run_interrupted     | {"runId":"run-1","checkpointId":null,"reason":"asked to stop"}                                                                   |
        | run_resumed         | {"runId":"run-2","fromCheckpointId":"cp-1","fromStepCount":1,"mode":"continue"}                                                  |
        | run_paused          | {"runId":"run-1","reason":"approval needed","pendingToolName":"pay","pendingToolCallId":"call-3"}                                |
        | checkpoint_created  | {"runId":"run-1","checkpointId":"cp-1","stepCount":1}                                                                            |
        | executor_superseded | {"runId":"run-1","reason":"a newer executor took over"}                                                                          |
        | step_committed      | {"runId":"run-1","stepId":"step-1","checkpointId":"cp-1"}                                                                        |
        | step_discarded      | {"runId":"run-1","stepId":"step-2","reason":"rolled back"}                                                                       |
        | stream_resync       | {"runId":"run-1","checkpointId":"cp-1","stepCount":1,"messageCount":2,"fromSequence":1,"reason":"crash_recovery"}                |

  @helix.chunks.unknown-type @must-not
  Rule: A type that the server doesn't know is refused or relayed as it is

    Scenario Outline: Writing the unknown type <type>
      When the writer tries to write a <type> chunk with <members>
      Then the client receives the chunk unchanged, unless it was refused
      And nothing else reaches the client

      Examples:
        | type                  | members                                                        |
        | future_kind           | {"payload":{"a":[1,null]},"flag":true}                         |
        | tool_approval_request | {"toolCallId":"call-1","toolName":"pay","arguments":{"sum":5}} |

  @helix.chunks.unknown-members @must-not @no-transcript:members-from-the-future-may-be-missing
  Rule: A member that the server doesn't know changes no other

    Scenario: Writing a known type with members from the future
      When the writer tries to write a text_delta chunk with {"delta":"a","lang":"en","meta":{"scores":[0.5,null]}}
      Then the client receives the known members of the chunk unchanged, unless it was refused
      And nothing else reaches the client

  @helix.chunks.any-value @must
  Rule: Any JSON value passes unchanged

    Scenario Outline: Carrying <what> in <type>
      When the writer writes a <type> chunk with <members>
      Then the client receives the chunk unchanged

      Examples:
        | what             | type     | members                                                                                          |
        | nested arrays    | custom   | {"eventName":"e","data":[[],[[1],[2,[3]]],{"a":[{"b":[]}]}]}                                     |
        | false            | custom   | {"eventName":"e","data":false}                                                                   |
        | zero             | output   | {"output":0}                                                                                     |
        | an empty string  | output   | {"output":""}                                                                                    |
        | an empty object  | output   | {"output":{}}                                                                                    |
        | an empty array   | tool_end | {"toolCallId":"c","toolName":"t","success":true,"result":[]}                                     |
        | a fraction       | custom   | {"eventName":"e","data":[0.1,-2.5e-7,3.141592653589793]}                                         |
        | a large exponent | custom   | {"eventName":"e","data":[1e21,1.7976931348623157e308]}                                           |
        | deep nesting     | custom   | {"eventName":"e","data":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["deep"]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}   |
        | odd member names | custom   | {"eventName":"e","data":{"":1,"a/b":2,"~0":3,"__proto__":4,"constructor":5,"type":"x"}}         |

  @helix.chunks.nulls-kept @must
  Rule: A null stays a null

    Scenario Outline: Carrying a null in <type>
      When the writer writes a <type> chunk with <members>
      Then the client receives the chunk unchanged

      Examples:
        | type     | members                                                        |
        | output   | {"output":null}                                                |
        | custom   | {"eventName":"e","data":{"a":null,"b":[null,{"c":null}]}}      |
        | tool_end | {"toolCallId":"c","toolName":"t","success":true,"result":null} |

  @helix.chunks.integers-exact @must
  Rule: An integer of up to 2^53 - 1 stays exact

    Scenario Outline: Carrying the integer <number>
      When the writer writes a custom chunk with {"eventName":"e","data":<number>}
      Then the client receives the chunk unchanged

      Examples:
        | number            |
        | 9007199254740991  |
        | -9007199254740991 |
        | 4503599627370497  |

  @helix.chunks.strings-exact @must
  Rule: A string keeps its code points

    Scenario Outline: Carrying the string of <what>
      When the writer writes a text_delta chunk with {"delta":<text>}
      Then the client receives the chunk unchanged

      Examples:
        | what                  | text                         |
        | a decomposed accent   | "e\u0301"                    |
        | a composed accent     | "\u00e9"                     |
        | spaces at both ends   | "  word  "                   |
        | white space alone     | " \t "                       |
        | nothing               | ""                           |
        | an emoji of several   | "\ud83d\udc69\u200d\ud83d\ude80" |
        | a line separator      | "a\u2028b\u2029c"            |
        | right to left         | "\u05e9\u05dc\u05d5\u05dd \u202eabc" |
        | a byte order mark     | "a\ufeffb"                   |
        | markup                | "<b>&amp;</b>"               |

    @no-transcript:huge-events
    Scenario: Carrying a long string of characters of several bytes
      When the writer writes a text_delta chunk whose delta is 100000 times "世"
      Then the client receives the chunk unchanged

    @no-transcript:half-a-character-has-no-text
    Scenario: Half of a surrogate pair
      When the writer tries to write a text_delta chunk that ends in half of a surrogate pair
      Then the client receives the half as it was written, unless the chunk was refused

  @helix.chunks.no-merge @must-not
  Rule: Chunks stay apart

    Scenario: Small deltas in one call
      When the writer writes events 2 to 6 in one call
      Then the client receives events 2 to 6
      And nothing else reaches the client
