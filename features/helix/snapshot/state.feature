@snapshot
Feature: The state in a snapshot

  @helix.snapshot.complete @must
  Rule: A snapshot and what follows it are the whole state

    Scenario: The state of a new stream
      Given a new stream
      When a snapshot of the stream is asked for
      Then the snapshot holds the state {}
      And every snapshot and what follows it add up to the whole state

    Scenario: The state that the stream began with
      Given a new stream
      And the state of the stream begins as {"km":463,"list":["x"]}
      And the writer patches the state with [{"op":"add","path":"/list/-","value":"y"}]
      When a snapshot of the stream with partial content is asked for
      Then the snapshot holds the state {"km":463,"list":["x","y"]}
      And every snapshot and what follows it add up to the whole state

    Scenario: Patches of every kind
      Given a new stream
      And the writer patches the state with [{"op":"add","path":"/list","value":[]},{"op":"add","path":"/km","value":1}]
      And the writer patches the state with [{"op":"add","path":"/list/-","value":"x"},{"op":"add","path":"/list/-","value":"y"}]
      And the writer patches the state with [{"op":"replace","path":"/km","value":{"a/b":null}}]
      And the writer patches the state with [{"op":"remove","path":"/list/0"}]
      When a snapshot of the stream with partial content is asked for
      Then the snapshot holds the state {"list":["y"],"km":{"a/b":null}}
      And every snapshot and what follows it add up to the whole state

    @no-transcript:where-an-open-step-is-cut-is-free
    Scenario: Snapshots between writes
      Given a new stream
      And the writer patches the state with [{"op":"add","path":"/list","value":[]}]
      And a snapshot of the stream is asked for
      And the writer patches the state with [{"op":"add","path":"/list/-","value":"x"}]
      And the writer patches the state with [{"op":"add","path":"/list/-","value":"y"}]
      And a snapshot of the stream is asked for
      When the writer patches the state with [{"op":"add","path":"/list/-","value":"z"}]
      Then every snapshot and what follows it add up to the whole state

    Scenario: A snapshot of a stream that has ended
      Given a new stream
      And the writer patches the state with [{"op":"add","path":"/list","value":["x"]}]
      And the stream has ended
      When a snapshot of the stream is asked for
      Then the snapshot holds the state {"list":["x"]}
      And every snapshot and what follows it add up to the whole state

    @no-transcript:snapshots-come-when-they-come
    Scenario Outline: Snapshots while <writers> writers write
      Given a new stream
      And the writer patches the state with [{"op":"add","path":"/list","value":[]}]
      When snapshots are asked for while <writers> writers append <values> values each to the list
      Then every snapshot and what follows it add up to the whole state

      Examples:
        | writers | values |
        | 1       | 40     |
        | 3       | 20     |

    @no-transcript:snapshots-come-when-they-come
    Scenario: Snapshots with partial content while writers write
      Given a new stream
      And the writer patches the state with [{"op":"add","path":"/list","value":[]}]
      When snapshots with partial content are asked for while 2 writers append 20 values each to the list
      Then every snapshot and what follows it add up to the whole state

    Scenario: A snapshot before the patch of an open step
      Given a new stream
      And the writer patches the state in step 1 with [{"op":"add","path":"/list","value":["x"]}]
      And the writer writes a checkpoint_created chunk with {"runId":"run-1","checkpointId":"checkpoint-1","stepCount":1,"step":1}
      And the writer patches the state in step 2 with [{"op":"add","path":"/list/-","value":"y"}]
      When a snapshot of the stream is asked for
      Then every snapshot and what follows it add up to the whole state

    @truncation
    Scenario: A snapshot after a cleanup
      Given a new stream
      And the writer patches the state in step 1 with [{"op":"add","path":"/list","value":["x"]}]
      And the writer patches the state in step 2 with [{"op":"add","path":"/list/-","value":"y"}]
      And a snapshot of the stream with partial content is asked for
      And the stream is cleaned up to step 1
      When a snapshot of the stream with partial content is asked for
      Then the snapshot holds the state {"list":["x"]}

    @truncation
    Scenario: A snapshot of what was written after a cleanup
      Given a new stream
      And the writer patches the state in step 1 with [{"op":"add","path":"/list","value":["x"]}]
      And the writer patches the state in step 2 with [{"op":"add","path":"/list/-","value":"y"}]
      And the stream is cleaned up to step 1
      And the writer patches the state in step 2 with [{"op":"add","path":"/list/-","value":"z"}]
      When a snapshot of the stream with partial content is asked for
      Then the snapshot holds the state {"list":["x","z"]}
      And every snapshot and what follows it add up to the whole state

    @reset
    Scenario: A snapshot after a reset
      Given a new stream
      And the writer patches the state with [{"op":"add","path":"/list","value":["x"]}]
      And a snapshot of the stream with partial content is asked for
      And the stream is reset
      When a snapshot of the stream with partial content is asked for
      Then the snapshot holds the state {}

    @runtime @checkpoints
    Scenario Outline: A snapshot of a run that was <how> a checkpoint
      Given a run of this script:
        """
        [{"append":{"key":"list","items":["one"]}}]
        [{"append":{"key":"list","items":["two"]}}]
        [{"append":{"key":"list","items":["three"]}},{"await":"end"}]
        """
      And the run is settled
      And a snapshot of the stream is asked for
      And the run is <how> checkpoint 1
      And the run is resumed with the mode "continue"
      And barrier "end" is released
      And the run is settled
      When a snapshot of the stream is asked for
      Then the snapshot holds the state {"list":["one","two","three"]}

      Examples:
        | how            |
        | rolled back to |
        | branched from  |

  @helix.snapshot.saved-first @must
  Rule: What was sent is in the snapshots from then on

    Scenario: A snapshot after each patch
      Given a new stream
      And the writer patches the state with [{"op":"add","path":"/list","value":[]}]
      And an attached client
      When a snapshot with partial content is asked for whenever one of 12 values that are appended to the list has reached the client
      Then every snapshot holds what had reached the client
