@snapshot
Feature: What a snapshot says

  @helix.snapshot.document @must
  Rule: A snapshot has five members

    Scenario: The snapshot of a new stream
      Given a new stream
      When a snapshot of the stream is asked for
      Then the snapshot has its members

    Scenario Outline: The snapshot of a stream that has <finished>
      Given a stream that holds events 1 to 3
      And the stream has <finished>
      When a snapshot of the stream is asked for
      Then the snapshot has its members

      Examples:
        | finished |
        | ended    |
        | failed   |

    Scenario Outline: A snapshot <how> partial content
      Given a stream whose events are of steps 1, 1
      When a snapshot of the stream <how> partial content is asked for
      Then the snapshot has its members

      Examples:
        | how     |
        | with    |
        | without |

  @helix.snapshot.sequence @must
  Rule: With partial content the sequence is the latest at that moment

    Scenario Outline: The sequence behind <n> events
      Given a stream that holds events 1 to <n>
      When a snapshot of the stream with partial content is asked for
      Then the sequence of the snapshot is that of event <n>

      Examples:
        | n  |
        | 1  |
        | 12 |

    Scenario: The sequence of a new stream
      Given a new stream
      When a snapshot of the stream with partial content is asked for
      Then the sequence of the snapshot is 0

    Scenario Outline: The sequence of a stream that has <finished>
      Given a stream that holds events 1 to 3
      And the stream has <finished>
      When a snapshot of the stream with partial content is asked for
      Then the sequence of the snapshot is that of event 3

      Examples:
        | finished |
        | ended    |
        | failed   |

    @truncation
    Scenario: The sequence after a cleanup
      Given a stream whose events are of steps 1, 2, 1
      And the stream is cleaned up to step 1
      When a snapshot of the stream with partial content is asked for
      Then the sequence of the snapshot is that of event 3

    @no-transcript:snapshots-come-when-they-come
    Scenario: The sequences while a writer writes
      Given a new stream
      And the writer patches the state with [{"op":"add","path":"/list","value":[]}]
      When snapshots with partial content are asked for while 1 writers append 40 values each to the list
      Then the sequence of every snapshot was the latest while it was taken

  @helix.snapshot.status @must
  Rule: The status is the stream's

    Scenario: The status of a new stream
      Given a new stream
      When a snapshot of the stream is asked for
      Then the snapshot says the status "active"

    Scenario Outline: The status of a stream that has <finished>
      Given a stream that holds event 1
      And a snapshot of the stream is asked for
      And the stream has <finished>
      When a snapshot of the stream is asked for
      Then the snapshot says the status "<finished>"

      Examples:
        | finished |
        | ended    |
        | failed   |

    @status
    Scenario: The status of a paused stream
      Given a stream that holds event 1
      And the stream is made paused
      When a snapshot of the stream is asked for
      Then the snapshot says the status "paused"

    @status
    Scenario: The status of a stream that is active again
      Given a stream that holds event 1
      And the stream is made paused
      And a snapshot of the stream is asked for
      And the stream is made active
      When a snapshot of the stream is asked for
      Then the snapshot says the status "active"

  @helix.snapshot.timestamp @should
  Rule: The timestamp is the moment of the snapshot

    Scenario: The timestamp of a new stream's snapshot
      Given a new stream
      When a snapshot of the stream is asked for
      Then the snapshot says when it was taken

    Scenario: The timestamp is none of the stream's
      Given a stream that holds events 1 to 3
      When a snapshot of the stream is asked for
      Then the snapshot says when it was taken

  @helix.snapshot.unknown-stream @must
  Rule: A stream that never was has no snapshot

    Scenario: The snapshot of a stream that never was
      When a snapshot of a stream that never was is asked for
      Then the answer is 404
