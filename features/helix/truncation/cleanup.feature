@truncation
Feature: Cleaning up to a step

  @helix.truncation.removes @must
  Rule: Later steps are gone

    Scenario Outline: Cleaning up to step <step>
      Given a stream whose events are of steps 1, 1, 2, 3
      When the stream is cleaned up to step <step>
      Then a fresh client receives exactly <kept>

      Examples:
        | step | kept          |
        | 1    | events 1 to 2 |
        | 2    | events 1 to 3 |

    Scenario: Cleaning up to step 0
      Given a stream whose events are of steps 1, 2
      When the stream is cleaned up to step 0
      Then a fresh client receives no stored event

    Scenario: Cleaning up twice
      Given a stream whose events are of steps 1, 2, 3
      And the stream is cleaned up to step 2
      When the stream is cleaned up to step 1
      Then a fresh client receives exactly event 1

  @helix.truncation.removed-on-resume @must-not @resume
  Rule: A resume doesn't bring removed chunks back

    Scenario: Resuming below the removed events
      Given a stream whose events are of steps 1, 1, 2, 2
      And an attached client
      And the client disconnects
      And the stream is cleaned up to step 1
      When the client resumes after event 1
      Then the client receives exactly event 2

    Scenario: Resuming among the removed events
      Given a stream whose events are of steps 1, 2, 2, 2
      And an attached client
      And the client disconnects
      And the stream is cleaned up to step 1
      When the client resumes after event 2
      Then the client receives no stored event

  @helix.truncation.keeps @must
  Rule: Earlier steps stay where they were

    Scenario: The sequences of what stays
      Given a stream whose events are of steps 1, 2, 1, 2, 1
      And an attached client
      When the stream is cleaned up to step 1
      Then event 5 has kept its sequence for a fresh client
      And a fresh client receives exactly events 1, 3, 5

  @helix.truncation.keeps-stepless @must
  Rule: Chunks without a step stay

    Scenario: Cleaning up a stream of both kinds
      Given a stream whose events are of steps none, 1, none, 2
      When the stream is cleaned up to step 0
      Then a fresh client receives exactly events 1, 3

  @helix.truncation.notifies @must
  Rule: Every attached reader is told

    Scenario: Two readers that are caught up
      Given a stream whose events are of steps 1, 2, 3
      And attached clients "A", "B"
      When the stream is cleaned up to step 1
      Then every client receives a truncated frame

    Scenario: A second cleanup is told too
      Given a stream whose events are of steps 1, 2, 3
      And an attached client
      And the stream is cleaned up to step 2
      And the client is told of a truncation and reads on
      When the stream is cleaned up to step 1
      Then the client receives a truncated frame

    Scenario Outline: Cleaning up under a client that <came>
      Given a stream whose events are of steps 1, 2, 1
      And a client that <came>
      And the client reads along
      When the stream is cleaned up to step 1
      Then the client receives a truncated frame

      Examples:
        | came                        |
        | came fourth                 |
        | resumed by header           |
        | resumed by query            |
        | resumed at the latest event |
        | resumed at a removed event  |
        | came during a pause         |
        | stayed during a cleanup     |
        | stayed during a reset       |

  @helix.truncation.step @must
  Rule: The frame names the step of the cleanup

    Scenario Outline: Cleaning up to step <step> under a reader
      Given a stream whose events are of steps 1, 2, 3, 4
      And an attached client
      When the stream is cleaned up to step <step>
      Then the client receives a truncated frame that names step <step>

      Examples:
        | step |
        | 0    |
        | 2    |
        | 3    |

  @helix.truncation.at-sequence @should
  Rule: The frame says how far the stream had come

    Scenario: The highest sequence belongs to a removed event
      Given a stream whose events are of steps 1, 2, 3
      And an attached client
      When the stream is cleaned up to step 1
      Then the client receives a truncated frame
      And its atSequence is the sequence of event 3

    Scenario: The highest sequence belongs to an event that stays
      Given a stream whose events are of steps 1, 2, 1
      And an attached client
      When the stream is cleaned up to step 1
      Then the client receives a truncated frame
      And its atSequence is the sequence of event 3

  @helix.truncation.covers-delivered @must
  Rule: The frame covers what was delivered before it

    Scenario: A reader that has everything
      Given a stream whose events are of steps 1, 2, 3
      And an attached client
      When the stream is cleaned up to step 1
      Then the client receives a truncated frame
      And no exchange of this scenario breaks this rule

  @helix.truncation.goes-on @must
  Rule: The stream goes on after the frame

    Scenario: Writing after a cleanup
      Given a stream whose events are of steps 1, 2
      And an attached client
      And the stream is cleaned up to step 1
      And the client is told of a truncation
      When the writer writes an event of step 2
      Then the client receives exactly event 3

  @helix.truncation.not-later @must-not
  Rule: Readers that come later are not told

    Scenario: A fresh reader after a cleanup
      Given a stream whose events are of steps 1, 2
      And the stream is cleaned up to step 1
      When the writer writes an event of step 1
      Then a fresh client receives exactly events 1, 3

    Scenario: A fresh reader while another one was told
      Given a stream whose events are of steps 1, 2
      And attached clients "A"
      And the stream is cleaned up to step 1
      When the writer writes an event of step 1
      Then a fresh client receives exactly events 1, 3

  @helix.truncation.in-flight @must-not @no-transcript:megabytes-of-filler
  Rule: No removed chunk follows the frame

    Scenario: A cleanup while a reader lags
      Given a stream whose events are of steps 1
      And a stalled client
      And the writer writes 128 events of 48 KiB of step 2
      And the stream is cleaned up to step 1
      When the stalled client reads on
      Then the stalled client is told of the truncation or was cut, and receives no removed event after that

  @helix.truncation.no-reuse @must-not
  Rule: A removed sequence is not used again

    Scenario: Writing after the last events were removed
      Given a stream whose events are of steps 1, 2, 2
      And an attached client
      When the stream is cleaned up to step 1
      Then the next event gets a sequence above that of event 3

    Scenario: Writing after two cleanups
      Given a stream whose events are of steps 1, 2, 2
      And an attached client
      And the stream is cleaned up to step 1
      When the stream is cleaned up to step 0
      Then the next event gets a sequence above that of event 3

  @helix.truncation.stays-active @must-not
  Rule: A cleanup doesn't end the stream

    Scenario: Writing on after a cleanup
      Given a stream whose events are of steps 1, 2
      And the stream is cleaned up to step 1
      And the client attaches
      When the writer writes an event of step 2
      Then the client receives exactly events 1, 3

    Scenario: Ending after a cleanup
      Given a stream whose events are of steps 1, 2
      And the stream is cleaned up to step 1
      And the client attaches
      And the client receives event 1 first
      When the stream ends
      Then the client receives the end frame

  @helix.truncation.nothing-removed @should-not
  Rule: A cleanup that removes nothing says nothing

    Scenario: Cleaning up to a step that was never reached
      Given a stream whose events are of steps 1, 2
      And an attached client that must stay on its connection
      When the stream is cleaned up to step 9
      Then nothing else reaches the client

  @helix.truncation.not-numbered @must-not
  Rule: A truncated frame is not a position

    Scenario: The id of a truncated frame
      Given a stream whose events are of steps 1, 2
      And an attached client
      When the stream is cleaned up to step 1
      Then the client receives a truncated frame
      And no exchange of this scenario breaks this rule

  @helix.truncation.count-after @must @info
  Rule: The count is of what remains

    Scenario Outline: The count after a cleanup to step <step>
      Given a stream whose events are of steps 1, 2, none, 3
      And the stream is cleaned up to step <step>
      When the info of the stream is asked for
      Then the info counts <count> chunks

      Examples:
        | step | count |
        | 0    | 1     |
        | 1    | 2     |
        | 2    | 3     |

  @helix.truncation.latest-kept @must-not @info
  Rule: The latest sequence never goes down

    Scenario: The latest sequence after a cleanup
      Given a stream whose events are of steps 1, 2, 3
      And an attached client
      And the stream is cleaned up to step 1
      When the info of the stream is asked for
      Then the latest sequence of the info is at least that of event 3
