@runtime @supersede
Feature: Another executor takes a session over

  @helix.runs.superseded @must
  Rule: A take-over is told

    Scenario: An executor is replaced in the second step
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "},{"await":"go"}]
        """
      And the client attaches
      And the client receives everything so far
      When another executor takes the run over
      Then the client receives 1 chunk with {"type":"executor_superseded"}

    Scenario: An executor is replaced before any step is done
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"go"}]
        """
      And the client attaches
      And the client receives everything so far
      When another executor takes the run over
      Then the client receives 1 chunk with {"type":"executor_superseded"}

    Scenario: Two pages look at it
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"go"}]
        """
      And client "A" attaches
      And client "B" attaches
      And every client receives everything so far
      When another executor takes the run over
      Then every client receives 1 chunk with {"type":"executor_superseded"}

    Scenario: An executor is replaced twice
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "},{"await":"go"}]
        """
      And the client attaches
      And the client receives everything so far
      And another executor takes the run over
      And the client receives everything so far
      When another executor takes the run over
      Then the client receives 2 chunks with {"type":"executor_superseded"}

  @helix.runs.superseded-graceful @must-not
  Rule: A take-over is no failure

    Scenario: The executor is replaced and its successor completes
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "},{"await":"go"},{"text":"Four days."}]
        """
      And the client attaches
      And the client receives everything so far
      And another executor takes the run over
      When barrier "go" is released
      Then the client receives no chunk with {"type":"error"} beside one with {"type":"executor_superseded"}
      And the stream of the client finishes with the end frame

    Scenario: The executor is replaced while a tool works
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"tool":{"name":"find_route","arguments":{},"result":1,"waits":"route"}},{"text":"By sea. "},{"await":"end"}]
        """
      And the client attaches
      And the client receives everything so far
      And another executor takes the run over
      When barrier "route" is released
      Then the client receives no chunk with {"type":"error"} beside one with {"type":"executor_superseded"}
      And the stream of the client has not finished after a chunk with {"type":"executor_superseded"}

    Scenario: An executor is replaced twice and its second successor completes
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"go"},{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And another executor takes the run over
      And the client receives everything so far
      And another executor takes the run over
      When barrier "go" is released
      Then the client receives no chunk with {"type":"error"} beside one with {"type":"executor_superseded"}
      And the stream of the client finishes with the end frame

  @helix.runs.superseded-silent @must-not
  Rule: A replaced executor is silent

    Scenario: Two executors wait for the same model
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"await":"model"},{"text":"By sea. "},{"await":"end"},{"text":"Four days."}]
        """
      And the run is settled
      And another executor takes the run over
      And barrier "model" is released
      And the run is settled
      When barrier "end" is released
      Then for a fresh client the text of the agent is "Let me see. By sea. Four days."

    Scenario: Two executors wait for the same tool
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"result":1,"waits":"route"}},{"await":"end"}]
        """
      And the run is settled
      And another executor takes the run over
      And barrier "route" is released
      And the run is settled
      When barrier "end" is released
      Then a fresh client receives 1 chunk with {"type":"tool_end","success":true}

    Scenario: Three executors wait for the same model
      Given a run of this script:
        """
        [{"await":"model"},{"text":"By sea. "},{"await":"end"},{"text":"Four days."}]
        """
      And the run is settled
      And another executor takes the run over
      And the run is settled
      And another executor takes the run over
      And barrier "model" is released
      And the run is settled
      When barrier "end" is released
      Then for a fresh client the text of the agent is "By sea. Four days."
