@replicas @runtime @supersede
Feature: A run that is at work on one replica is taken over on another

  @helix.replicas.fenced @must-not
  Rule: The executor before is silent

    Scenario: An executor waits for its model, and another replica takes over
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"await":"model"},{"text":"By sea. "},{"await":"end"},{"text":"Four days."}]
        """
      And the run is settled
      And replica 2 is asked from now on
      And another executor takes the run over
      And barrier "model" is released on every replica
      And the run is settled
      When barrier "end" is released on every replica
      Then for a fresh client the text of the agent is "Let me see. By sea. Four days."

    Scenario: An executor is about to end the stream, and another replica takes over
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"end"}]
        """
      And the run is settled
      And replica 2 is asked from now on
      And another executor takes the run over
      And barrier "end" is released on replica 1
      When the client attaches
      Then the stream of the client has not finished after a chunk with {"type":"executor_superseded"}

    Scenario: Two replicas take over one after the other
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "},{"await":"end"},{"text":"Four days."}]
        """
      And the run is settled
      And replica 2 is asked from now on
      And another executor takes the run over
      And the run is settled
      And replica 1 is asked from now on
      And another executor takes the run over
      And the run is settled
      When barrier "end" is released on every replica
      Then for a fresh client the text of the agent is "Let me see. By sea. Four days."
