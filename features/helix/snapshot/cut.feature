@snapshot
Feature: Where a snapshot cuts the stream

  @helix.snapshot.exact @must
  Rule: A snapshot holds what the chunks up to its sequence add up to

    Scenario Outline: A patch of the step that is open, <how> partial content
      Given a new stream
      And the writer patches the state in step 1 with [{"op":"add","path":"/list","value":["x"]}]
      And the writer writes a checkpoint_created chunk with {"runId":"run-1","checkpointId":"checkpoint-1","stepCount":1,"step":1}
      And the writer patches the state in step 2 with [{"op":"add","path":"/list/-","value":"y"}]
      When a snapshot of the stream <how> partial content is asked for
      Then the snapshot holds what the chunks up to its sequence add up to

      Examples:
        | how     |
        | with    |
        | without |

    @runtime
    Scenario Outline: A step that is open, <how> partial content
      Given a run of this script:
        """
        [{"text":"First the dates. "},{"append":{"key":"list","items":["one"]}}]
        [{"append":{"key":"list","items":["two"]}},{"text":"Then the route: "},{"await":"more"},{"text":"over the pass. "}]
        """
      And the run is settled
      When a snapshot of the stream <how> partial content is asked for
      Then the snapshot holds what the chunks up to its sequence add up to

      Examples:
        | how     |
        | with    |
        | without |

    @runtime
    Scenario Outline: A run that is over, <how> partial content
      Given a run of this script:
        """
        [{"text":"First the dates. "},{"append":{"key":"list","items":["one"]}}]
        [{"text":"Then the route."}]
        """
      And the run is settled
      When a snapshot of the stream <how> partial content is asked for
      Then the snapshot holds what the chunks up to its sequence add up to

      Examples:
        | how     |
        | with    |
        | without |

    @runtime @checkpoints
    Scenario Outline: A run that was interrupted and goes on, <how> partial content
      Given a run of this script:
        """
        [{"text":"First the dates. "},{"set":{"key":"by","value":"sea"}}]
        [{"text":"By rail? "},{"set":{"key":"by","value":"rail"}},{"await":"stop"}]
        [{"text":"By sea. "},{"await":"end"}]
        """
      And the run is settled
      And the run is interrupted
      And the run is resumed with the mode "continue"
      And the run is settled
      When a snapshot of the stream <how> partial content is asked for
      Then the snapshot holds what the chunks up to its sequence add up to

      Examples:
        | how     |
        | with    |
        | without |

  @helix.snapshot.boundary @must @runtime @checkpoints
  Rule: Without partial content the cut lies before the open step

    Scenario: A second step that is open
      Given a run of this script:
        """
        [{"text":"First the dates. "},{"append":{"key":"list","items":["one"]}}]
        [{"text":"Then the route: "},{"await":"more"},{"text":"over the pass. "}]
        """
      And the run is settled
      When a snapshot of the stream is asked for
      Then the sequence of the snapshot lies between the last complete step and the open one

    Scenario: A first step that is open
      Given a run of this script:
        """
        [{"text":"First the dates. "},{"await":"more"}]
        """
      And the run is settled
      When a snapshot of the stream without partial content is asked for
      Then the sequence of the snapshot lies between the last complete step and the open one

    Scenario: A tool that works in the third step
      Given a run of this script:
        """
        [{"text":"First the dates. "}]
        [{"set":{"key":"by","value":"sea"}}]
        [{"tool":{"name":"hotel","arguments":{"city":"Rome"},"result":"full","waits":"end"}}]
        """
      And the run is settled
      When a snapshot of the stream is asked for
      Then the sequence of the snapshot lies between the last complete step and the open one

    Scenario: A run that has said everything
      Given a run of this script:
        """
        [{"text":"First the dates. "}]
        [{"text":"Then the route. "},{"set":{"key":"by","value":"sea"}}]
        """
      And the run is settled
      When a snapshot of the stream is asked for
      Then the sequence of the snapshot lies between the last complete step and the open one

    Scenario: A step that was recovered
      Given a run of this script:
        """
        [{"text":"First the dates. "}]
        [{"text":"Then the route: "},{"await":"more"}]
        """
      And the run is settled
      And the executor of the run crashes
      And the run recovers
      And the run is settled
      When a snapshot of the stream is asked for
      Then the sequence of the snapshot lies between the last complete step and the open one

  @helix.snapshot.void @must-not @runtime @checkpoints
  Rule: What no longer counts isn't shown

    Scenario Outline: A step that was interrupted, <how> partial content
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"set":{"key":"by","value":"rail"}},{"await":"stop"}]
        [{"text":"By sea. "},{"await":"end"}]
        """
      And the run is settled
      And the run is interrupted
      When a snapshot of the stream <how> partial content is asked for
      Then the snapshot shows nothing of "rail"

      Examples:
        | how     |
        | with    |
        | without |

    Scenario: A step that was interrupted, while the next attempt goes on
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"set":{"key":"by","value":"rail"}},{"await":"stop"}]
        [{"text":"By sea. "},{"await":"end"}]
        """
      And the run is settled
      And the run is interrupted
      And the run is resumed with the mode "continue"
      And the run is settled
      When a snapshot of the stream with partial content is asked for
      Then the snapshot shows nothing of "rail"

    Scenario: A step that was interrupted, when the run is over
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"set":{"key":"by","value":"rail"}},{"await":"stop"}]
        [{"text":"By sea. "}]
        """
      And the run is settled
      And the run is interrupted
      And the run is resumed with the mode "continue"
      And the run is settled
      When a snapshot of the stream is asked for
      Then the snapshot shows nothing of "rail"

    Scenario Outline: A run that was <how> a checkpoint
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"text":"By rail, then. "},{"await":"stop"}]
        """
      And the run is settled
      And a snapshot of the stream is asked for
      And the run is <how> checkpoint 1
      When a snapshot of the stream with partial content is asked for
      Then the snapshot shows nothing of "rail"

      Examples:
        | how            |
        | rolled back to |
        | branched from  |
