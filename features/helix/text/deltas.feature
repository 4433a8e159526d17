@runtime
Feature: Text that a model says

  @helix.text.concatenation @must
  Rule: The deltas joined are what the model said

    Scenario Outline: A model says <what>
      Given a run of this script:
        """
        [{"text":<text>}]
        """
      When the client attaches
      Then for the client the text of the agent is <text>

      Examples:
        | what                       | text                                               |
        | a sentence                 | "Plan the trip to Bergen, and not by air."         |
        | spaces at both ends        | "  two before, one after "                         |
        | a list with line ends      | "Three days:\\n\\n- by train\\n- by ship\\r\\n\\t- on foot\\n" |
        | the same word again        | "ha ha ha ha"                                      |
        | quotes and a backslash     | "He said: \\"C:\\\\maps\\", and that {\\"a\\": [1]} is fine." |
        | a tag of HTML              | "<b>4 &lt; 5</b> & more"                           |
        | a word without a space     | "Donaudampfschifffahrtsgesellschaftskapitaensmuetze" |

    Scenario: A model says words and the white space between them apart
      Given a run of this script:
        """
        [{"text":"By"},{"text":" "},{"text":"sea"},{"text":"\n"},{"text":"  "},{"text":"then by rail"}]
        """
      When the client attaches
      Then for the client the text of the agent is "By sea\n  then by rail"

    Scenario: A model says the same twice
      Given a run of this script:
        """
        [{"text":"on"},{"text":"on"},{"text":" and"},{"text":" and"}]
        """
      When the client attaches
      Then for the client the text of the agent is "onon and and"

    Scenario: A model goes on talking after a tool and in the next step
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"tool":{"name":"find_route","arguments":{"to":"Bergen"},"result":"by sea"}},{"text":"By sea. "}]
        [{"text":"That takes "},{"text":"four days."}]
        """
      When the client attaches
      Then for the client the text of the agent is "Let me see. By sea. That takes four days."

    Scenario: A reader listens while the model talks
      Given a run of this script:
        """
        [{"await":"go"},{"text":"Let me see. "},{"text":"By sea."}]
        """
      And the client attaches
      When barrier "go" is released
      Then for the client the text of the agent is "Let me see. By sea."

  @helix.text.whole-characters @must-not
  Rule: No character is cut

    Scenario Outline: A model says <what> that no delta may cut
      Given a run of this script:
        """
        [{"text":<text>}]
        """
      When the client attaches
      Then for the client the text of the agent is <text>
      And no exchange of this scenario breaks this rule

      Examples:
        | what                 | text                             |
        | emoji                | "Sun 😀, wind 🌬 and 🚢 at last" |
        | emoji without spaces | "😀🚢🌬😀🚢🌬"                   |
        | a joined emoji       | "For the 👩‍👩‍👧 of three"               |
        | Japanese             | "ベルゲンへ行きましょう。"         |
        | accents              | "à la carte, über Åsgård"        |

    Scenario: A model says emoji one by one
      Given a run of this script:
        """
        [{"text":"😀"},{"text":"🚢"}]
        [{"text":"Once more: 🌬"}]
        """
      When the client attaches
      Then for the client the text of the agent is "😀🚢Once more: 🌬"
      And no exchange of this scenario breaks this rule

  @helix.text.empty-delta @should-not
  Rule: Nothing said is not sent

    Scenario: A model says nothing between two sentences
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"text":""},{"tool":{"name":"find_route","arguments":{},"result":1}},{"text":""},{"text":"By sea."}]
        """
      When the client attaches
      Then the client receives no chunk with {"type":"text_delta","delta":""}
      And no exchange of this scenario breaks this rule

  @helix.text.per-agent @must @subagents
  Rule: Each agent has its own text

    Scenario: A child speaks between two sentences of its parent
      Given a run of this script:
        """
        [{"text":"I ask. "},{"subagent":{"type":"scout","script":[[{"text":"By sea, "}],[{"text":"I say."}]]}},{"text":"By sea it is."}]
        """
      When the client attaches
      Then for the client the text of the agent is "I ask. By sea it is."
      And for the client the text of sub-agent "scout" is "By sea, I say."

    @no-transcript:the-two-speak-at-once
    Scenario: A parent and its child speak at once
      Given a run of this script:
        """
        [{"parallel":[[{"text":"one two three four five six"}],[{"subagent":{"type":"scout","script":[[{"text":"a b c d e f g h"}]]}}]]}]
        """
      When the client attaches
      Then for the client the text of the agent is "one two three four five six"
      And for the client the text of sub-agent "scout" is "a b c d e f g h"

    @no-transcript:the-two-speak-at-once
    Scenario: Two children speak at once
      Given a run of this script:
        """
        [{"parallel":[[{"subagent":{"type":"scout","script":[[{"text":"by sea and by rail"}]]}}],[{"subagent":{"type":"clerk","script":[[{"text":"four days at least"}]]}}]]},{"text":"Done."}]
        """
      When the client attaches
      Then for the client the text of the agent is "Done."
      And for the client the text of sub-agent "scout" is "by sea and by rail"
      And for the client the text of sub-agent "clerk" is "four days at least"
