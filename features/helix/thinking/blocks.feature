@runtime
Feature: What a model thinks

  @helix.thinking.content @must
  Rule: Reasoning arrives whole

    Scenario Outline: A model thinks <what>
      Given a run of this script:
        """
        [{"thinking":<thought>},{"text":"By sea."}]
        """
      When the client attaches
      Then for the client the reasoning of the agent is [<thought>]

      Examples:
        | what                | thought                                    |
        | a question          | "Which way? There is no road."             |
        | one word            | "Sea."                                     |
        | a list              | "\\n- by train\\n- by ship\\n"             |
        | emoji               | "A ship 🚢 then."                          |

    Scenario: A model thinks in two steps
      Given a run of this script:
        """
        [{"thinking":"Is there a road?"},{"text":"Let me see. "}]
        [{"thinking":"No road at all."},{"text":"By sea."}]
        """
      When the client attaches
      Then for the client the reasoning of the agent is ["Is there a road?","No road at all."]

  @helix.thinking.whole-block @should
  Rule: What completes a block is the block

    Scenario: A thought of many words, and one of a single word
      Given a run of this script:
        """
        [{"thinking":"There is no road to Bergen from here."},{"text":"By sea. "},{"thinking":"Sure?"},{"text":"Yes."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"thinking"}
        """
      And no exchange of this scenario breaks this rule

  @helix.thinking.closed @should
  Rule: A block is completed before the work is done

    Scenario: A model thinks and says what came of it
      Given a run of this script:
        """
        [{"thinking":"There is no road to Bergen."},{"text":"By sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"thinking"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: A model thinks and puts out the result
      Given a run of this script:
        """
        [{"thinking":"There is no road to Bergen."}]
        [{"thinking":"So it is the ship."},{"output":{"by":"sea"}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"thinking"}
        """
      And no exchange of this scenario breaks this rule

  @helix.thinking.blocks @must
  Rule: Two blocks stay two

    Scenario: Before and after a tool
      Given a run of this script:
        """
        [{"thinking":"Is there a road?"},{"tool":{"name":"find_route","arguments":{"to":"Bergen"},"error":"no road"}},{"thinking":"By sea then."},{"text":"By sea."}]
        """
      When the client attaches
      Then for the client the reasoning of the agent is ["Is there a road?","By sea then."]

    Scenario: One right after the other
      Given a run of this script:
        """
        [{"thinking":"Is there a road?"},{"thinking":"There is none."},{"thinking":"There is none."}]
        """
      When the client attaches
      Then for the client the reasoning of the agent is ["Is there a road?","There is none.","There is none."]

    Scenario: In two steps that hold nothing else
      Given a run of this script:
        """
        [{"thinking":"Is there a road?"}]
        [{"thinking":"There is none."}]
        """
      When the client attaches
      Then for the client the reasoning of the agent is ["Is there a road?","There is none."]
