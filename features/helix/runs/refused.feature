@runtime
Feature: Calls that a run is in no state for

  @helix.runs.call-refused @should
  Rule: A call that can't be served is refused

    Scenario: Resuming a run that is running
      Given a run of this script:
        """
        [{"text":"Let me see."},{"await":"go"}]
        """
      And the run is settled
      When a resume of the run is asked for
      Then the call is refused

    Scenario: Starting a second run on a stream
      Given a run of this script:
        """
        [{"text":"Let me see."},{"await":"go"}]
        """
      And the run is settled
      When a second run on the stream is asked for
      Then the call is refused

    Scenario: Resuming a run that is complete
      Given a run of this script:
        """
        [{"text":"Let me see."}]
        """
      And the run is settled
      When a resume of the run is asked for
      Then the call is refused

    Scenario: Resuming a run that has failed
      Given a run of this script:
        """
        [{"text":"Let me see."},{"error":{"message":"it broke"}}]
        """
      And the run is settled
      When a resume of the run is asked for
      Then the call is refused

    Scenario: Resuming a run that is running again
      Given a run of this script:
        """
        [{"text":"Let me see."},{"await":"go"}]
        [{"text":"Once more."},{"await":"go on"}]
        """
      And the run is settled
      And the run is interrupted
      And the run is resumed with the mode "continue"
      And the run is settled
      When a resume of the run is asked for
      Then the call is refused
