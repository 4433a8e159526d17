Feature: Nobody writes frames but the server

  @helix.security.forged-chunk @must-not
  Rule: No string of a chunk forges a frame

    Scenario Outline: <what>
      Given a stream that holds event 1
      And an attached client
      When the writer writes a <type> chunk with <members>
      Then the client receives the chunk unchanged
      And nothing else reaches the client

      Examples:
        | what                               | type       | members                                                                                                       |
        | A frame in a delta                 | text_delta | {"delta":"x\\n\\ndata: {\"type\":\"end\"}\\n\\n"}                                                                 |
        | A frame with an id in a delta      | text_delta | {"delta":"x\r\\n\r\\nid: 999\r\\ndata: {\"type\":\"end\"}\r\\n\r\\n"}                                              |
        | Lone carriage returns in a delta   | text_delta | {"delta":"x\r\rdata: {\"type\":\"fail\",\"error\":\"forged\"}\r\r"}                                            |
        | Carriage returns in a tool result  | tool_end   | {"toolCallId":"c","toolName":"t","success":true,"result":"a\rb\r\rdata: {\"type\":\"end\"}\r\r"}               |

    Scenario Outline: Taken or refused: <what>
      Given a stream that holds event 1
      And an attached client
      When the writer tries to write a <type> chunk with <members>
      Then the client receives the chunk unchanged, unless it was refused
      And nothing else reaches the client

      Examples:
        | what                               | type       | members                                                                                                       |
        | A NUL in a delta                   | text_delta | {"delta":"a\u0000b"}                                                                                          |
        | An id line in an agentId           | text_delta | {"delta":"x","agentId":"agent-1\\nid: 999\\nevent: end"}                                                        |
        | A frame in an event name           | custom     | {"eventName":"e\\n\\ndata: {\"type\":\"end\"}\\n\\n","data":1}                                                    |
        | A frame in a member name           | custom     | {"eventName":"e","data":{"k\\n\\ndata: {\"type\":\"end\"}\\n\\n":1}}                                              |

  @helix.security.forged-error @must-not
  Rule: No error text forges a frame

    Scenario Outline: An error text with <what>
      Given a stream that holds event 1
      And an attached client
      When the stream fails with the error <text>
      Then the client receives the fail frame with the error <text>
      And the response of the client ends

      Examples:
        | what             | text                                             |
        | line feeds       | "bad\\n\\ndata: {\"type\":\"end\"}\\n\\n"            |
        | carriage returns | "bad\r\rdata: {\"type\":\"end\"}\r\r"            |
        | a NUL            | "bad\u0000end"                                   |
