@runtime
Feature: Arguments of tools

  @helix.tools.arguments-object @must
  Rule: Readers get an object

    Scenario: Arguments of every kind
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{"to":"Bergen"},"result":1}},{"tool":{"name":"find_route","arguments":"{\"to\":\"Voss\"}","result":2}}]
        [{"tool":{"name":"find_route","arguments":["Bergen"],"result":1}},{"tool":{"name":"find_route","arguments":"Bergen","result":1}},{"tool":{"name":"find_route","arguments":null,"result":1}},{"tool":{"name":"find_route","result":1}}]
        """
      When the client attaches
      Then the client receives 6 chunks with {"type":"tool_start"}
      And no exchange of this scenario breaks this rule

  @helix.tools.arguments-parsed @must
  Rule: The text of an object becomes the object

    Scenario Outline: A model gives the text of <object>
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":<text>,"result":1}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolName":"find_route","arguments":<object>}
        """

      Examples:
        | text                                              | object                             |
        | "{\\"to\\":\\"Bergen\\"}"                         | {"to":"Bergen"}                    |
        | "{ \\"to\\" : \\"Åsgård\\",\\n \\"via\\": [null, 1.5] }" | {"to":"Åsgård","via":[null,1.5]} |
        | "{\\"a\\":{\\"b\\":\\"{\\\\\\"c\\\\\\":1}\\"}}"   | {"a":{"b":"{\\"c\\":1}"}}          |

    Scenario: A second call gives a text, too
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{"to":"Bergen"},"result":1}}]
        [{"tool":{"name":"find_ship","arguments":"{\"to\":\"Bergen\"}","result":1}},{"tool":{"name":"book","arguments":"{\"seats\":2}","result":1}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolName":"find_ship","arguments":{"to":"Bergen"}}
        {"type":"tool_start","toolName":"book","arguments":{"seats":2}}
        """

  @helix.tools.arguments-coerced @must
  Rule: What is no object becomes an empty one

    Scenario Outline: A model gives <arguments> as arguments
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":<arguments>,"error":"where to?"}},{"text":"To Bergen."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolName":"find_route","arguments":{}}
        """

      Examples:
        | arguments               |
        | "to Bergen, please"     |
        | "{\\"to\\":\\"Ber"      |
        | "[\\"Bergen\\"]"        |
        | "\\"Bergen\\""          |
        | "null"                  |
        | ""                      |
        | ["Bergen"]              |
        | [{"to":"Bergen"}]       |
        | 7                       |
        | true                    |
        | null                    |

    Scenario: A model gives no arguments, and then bad ones
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","error":"where to?"}}]
        [{"tool":{"name":"find_ship","arguments":"{to: Bergen}","error":"where to?"}},{"text":"To Bergen."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolName":"find_route","arguments":{}}
        {"type":"tool_start","toolName":"find_ship","arguments":{}}
        """
