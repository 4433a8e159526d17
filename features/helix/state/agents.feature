@runtime
Feature: Whose state it is, and when

  @helix.state.per-agent @should @subagents
  Rule: A sub-agent's patches are its own

    Scenario: A child uses a name of its parent
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}},{"append":{"key":"stops","items":["Voss"]}}]
        [{"subagent":{"type":"scout","script":[[{"set":{"key":"way","value":"rail"}}],[{"append":{"key":"stops","items":["Flåm"]}},{"set":{"key":"seen","value":true}}]]}},{"append":{"key":"stops","items":["Bergen"]}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"way":"sea","stops":["Voss","Bergen"]}
      And for the client the patches of sub-agent "scout" add up to {"way":"rail","stops":["Flåm"],"seen":true}

    Scenario: A child of a child uses a name of both
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}},{"subagent":{"type":"scout","script":[[{"set":{"key":"way","value":"rail"}},{"subagent":{"type":"clerk","script":[[{"set":{"key":"way","value":"air"}},{"set":{"key":"days","value":4}}]]}}]]}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"way":"sea"}
      And for the client the patches of sub-agent "scout" add up to {"way":"rail"}
      And for the client the patches of sub-agent "clerk" add up to {"way":"air","days":4}

    @no-transcript:the-children-work-side-by-side
    Scenario: Two children side by side use the same names
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}},{"parallel":[[{"subagent":{"type":"scout","script":[[{"append":{"key":"stops","items":["a1"]}}],[{"append":{"key":"stops","items":["a2"]}}]]}}],[{"subagent":{"type":"clerk","script":[[{"append":{"key":"stops","items":["b1"]}}],[{"append":{"key":"stops","items":["b2"]}}]]}}]]}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"way":"sea"}
      And for the client the patches of sub-agent "scout" add up to {"stops":["a1","a2"]}
      And for the client the patches of sub-agent "clerk" add up to {"stops":["b1","b2"]}

  @helix.state.after-resync @must @checkpoints
  Rule: After a return, patches apply to the state of the checkpoint

    Scenario: A rollback to before some changes
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}},{"append":{"key":"stops","items":["Voss"]}}]
        [{"set":{"key":"days","value":4}},{"append":{"key":"stops","items":["Flåm"]}},{"append":{"key":"seats","items":[1]}}]
        [{"await":"go"},{"append":{"key":"stops","items":["Bergen"]}}]
        """
      And the run is settled
      And the run is rolled back to checkpoint 1
      And barrier "go" is released
      And the run is resumed with the mode "continue"
      And the run is settled
      When the client attaches
      Then for the client the patches of the agent add up to {"way":"sea","stops":["Voss","Flåm","Bergen"],"days":4,"seats":[1]}

    Scenario: A rollback that brings back what was deleted
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}},{"set":{"key":"days","value":4}}]
        [{"delete":{"key":"way"}},{"set":{"key":"days","value":2}}]
        [{"await":"go"},{"text":"By sea."}]
        """
      And the run is settled
      And the run is rolled back to checkpoint 1
      When the client attaches
      Then for the client the patches of the agent add up to {"way":"sea","days":4}

    Scenario: A branch from a checkpoint before some changes
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}}]
        [{"append":{"key":"stops","items":["Flåm"]}},{"set":{"key":"days","value":4}}]
        [{"await":"go"},{"append":{"key":"stops","items":["Bergen"]}}]
        """
      And the run is settled
      And the run is branched from checkpoint 1
      And barrier "go" is released
      And the run is resumed with the mode "continue"
      And the run is settled
      When the client attaches
      Then for the client the patches of the agent add up to {"way":"sea","stops":["Flåm","Bergen"],"days":4}

    Scenario: A crash between two changes
      Given a run of this script:
        """
        [{"append":{"key":"stops","items":["Voss"]}}]
        [{"append":{"key":"stops","items":["Flåm"]}},{"append":{"key":"seats","items":[1]}},{"await":"go"}]
        [{"append":{"key":"stops","items":["Bergen"]}}]
        """
      And the run is settled
      And the executor of the run crashes
      And barrier "go" is released
      And the run recovers
      And the run is settled
      When the client attaches
      Then for the client the patches of the agent add up to {"stops":["Voss","Flåm","Bergen"],"seats":[1]}

    Scenario: Two rollbacks to before some changes
      Given a run of this script:
        """
        [{"append":{"key":"stops","items":["Voss"]}}]
        [{"append":{"key":"seats","items":[1]}},{"set":{"key":"days","value":4}}]
        [{"await":"go"},{"append":{"key":"stops","items":["Bergen"]}}]
        """
      And the run is settled
      And the run is rolled back to checkpoint 1
      And the run is resumed with the mode "continue"
      And the run is settled
      And the run is rolled back to checkpoint 1
      And barrier "go" is released
      And the run is resumed with the mode "continue"
      And the run is settled
      When the client attaches
      Then for the client the patches of the agent add up to {"stops":["Voss","Bergen"],"seats":[1],"days":4}

    Scenario: A rollback to before some changes while a reader listens
      Given a run of this script:
        """
        [{"append":{"key":"stops","items":["Voss"]}}]
        [{"append":{"key":"seats","items":[1]}},{"set":{"key":"days","value":4}}]
        [{"await":"go"},{"append":{"key":"stops","items":["Bergen"]}}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is rolled back to checkpoint 1
      And the client receives everything so far
      And barrier "go" is released
      When the run is resumed with the mode "continue"
      Then for the client the patches of the agent add up to {"stops":["Voss","Bergen"],"seats":[1],"days":4}
