@runtime
Feature: What an agent returns

  @helix.output.unchanged @must
  Rule: The output is the value that was returned

    Scenario Outline: An agent returns <output>
      Given a run of this script:
        """
        [{"text":"Done."},{"output":<output>}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"output","output":<output>}
        """

      Examples:
        | output                                 |
        | {"days":4,"route":["Bergen",{"km":463}]} |
        | "by sea"                               |
        | "{\\"days\\":4}"                       |
        | 3                                      |
        | 0                                      |
        | false                                  |
        | null                                   |
        | ["Bergen",null]                        |
        | []                                     |
        | {}                                     |
        | ""                                     |

    Scenario: An agent returns what its schema asks for
      Given a run that must put out what matches {"type":"object","required":["days"],"properties":{"days":{"type":"integer"}}}, of this script:
        """
        [{"text":"Let me see."}]
        [{"output":{"days":4,"by":"sea"}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"output","output":{"days":4,"by":"sea"}}
        """

  @helix.output.schema @must-not
  Rule: An output that breaks its schema isn't sent

    Scenario Outline: An agent returns <output> where days are needed
      Given a run that must put out what matches {"type":"object","required":["days"],"properties":{"days":{"type":"integer"}}}, of this script:
        """
        [{"text":"Let me see."},{"output":<output>}]
        """
      When the client attaches
      Then the client receives no chunk with {"type":"output"} beside one with {"type":"error"}
      And the client receives no chunk with {"type":"end","finalOutput":<output>} beside one with {"type":"error"}

      Examples:
        | output         |
        | {"days":"four"} |
        | {"day":4}      |
        | "four"         |

    Scenario: An agent returns the text of an object where the object is needed
      Given a run that must put out what matches {"type":"object","required":["days"],"properties":{"days":{"type":"integer"}}}, of this script:
        """
        [{"text":"Let me see."},{"output":"{\"days\":4}"}]
        """
      When the client attaches
      Then the client receives no chunk with {"type":"output","output":"{\"days\":4}"} beside one with {"type":"output"} or {"type":"error"}

    Scenario: An output breaks its schema in a later step
      Given a run that must put out what matches {"enum":["by sea","by rail"]}, of this script:
        """
        [{"text":"Let me see."}]
        [{"tool":{"name":"find_route","arguments":{},"result":"by air"}}]
        [{"output":"by air"}]
        """
      When the client attaches
      Then the client receives no chunk with {"type":"output"} beside one with {"type":"error"}
      And the client receives no chunk with {"type":"end","finalOutput":"by air"} beside one with {"type":"error"}

  @helix.output.final-output @must
  Rule: The end frame repeats the output, if it has one

    Scenario Outline: The output <output> and the end
      Given a run of this script:
        """
        [{"text":"Let me see."}]
        [{"output":<output>}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"output"}
        """
      And no exchange of this scenario breaks this rule

      Examples:
        | output                     |
        | {"days":4,"route":["Voss"]} |
        | "in four days"             |
        | 4                          |

  @helix.output.on-success @must-not
  Rule: A run that fails sends no output

    Scenario: Something fails right before the output
      Given a run of this script:
        """
        [{"text":"Let me see."},{"error":{"message":"the store is down","code":"transport_error"}},{"output":{"days":4}}]
        """
      When the client attaches
      Then the client receives no chunk with {"type":"output"} beside one with {"type":"error"}

    Scenario: Something fails a step before the output
      Given a run of this script:
        """
        [{"text":"Let me see."}]
        [{"error":{"message":"it broke"}}]
        [{"output":{"days":4}}]
        """
      When the client attaches
      Then the client receives no chunk with {"type":"output"} beside one with {"type":"error"}

    Scenario: The model refuses before the output
      Given a run of this script:
        """
        [{"text":"I would rather"},{"stop":"refusal"},{"output":"not"}]
        """
      When the client attaches
      Then the client receives no chunk with {"type":"output"} beside one with {"type":"error"}

  @helix.output.once @must
  Rule: There is one output

    Scenario: An agent of two steps returns
      Given a run of this script:
        """
        [{"text":"Let me see."}]
        [{"set":{"key":"days","value":4}},{"output":{"days":4}}]
        """
      When the client attaches
      Then the client receives 1 chunk with {"type":"output"}
      And no exchange of this scenario breaks this rule

  @helix.output.last @must-not
  Rule: Nothing is said after the output

    Scenario: An agent talks, thinks and calls a tool before it returns
      Given a run of this script:
        """
        [{"thinking":"By sea?"},{"text":"Let me see."},{"tool":{"name":"find_route","arguments":{},"result":1}}]
        [{"text":"Done."},{"set":{"key":"days","value":4}},{"output":"by sea"}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"thinking"}
        {"type":"tool_end","toolName":"find_route"}
        {"type":"text_delta"}
        {"type":"output","output":"by sea"}
        """
      And no exchange of this scenario breaks this rule

  @helix.output.ends @must
  Rule: After its output the stream ends

    Scenario: An agent returns after an error that it survived
      Given a run of this script:
        """
        [{"text":"Let me see."},{"error":{"message":"too busy","code":"provider_overloaded","retryable":true}}]
        [{"output":"by sea"}]
        """
      When the client attaches
      Then the stream of the client finishes with the end frame
      And no exchange of this scenario breaks this rule

    Scenario: An agent returns after a tool that failed
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"error":"no road"}},{"output":"by sea"}]
        """
      When the client attaches
      Then the stream of the client finishes with the end frame
      And no exchange of this scenario breaks this rule

  @helix.output.bookkeeping @should
  Rule: Only bookkeeping follows the output

    Scenario: An agent writes to the state and returns
      Given a run of this script:
        """
        [{"text":"Let me see."},{"set":{"key":"by","value":"sea"}}]
        [{"set":{"key":"days","value":4}},{"append":{"key":"via","items":["Voss"]}},{"output":"by sea"}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"output"}
        {"type":"end"}
        """
      And no exchange of this scenario breaks this rule
