@replicas
Feature: What happens to a stream on one replica happens on all

  @helix.replicas.finished @must
  Rule: Readers of another replica are told of the end

    Scenario Outline: A stream that has <finished> on the other replica
      Given a stream that holds events 1 to 2
      And an attached client that must stay on its connection
      And the client receives everything so far
      And replica 2 is asked from now on
      When the stream <finishes>
      Then the client receives the <frame> frame

      Examples:
        | finished | finishes | frame |
        | ended    | ends     | end   |
        | failed   | fails    | fail  |

    Scenario: Coming later to another replica
      Given a stream that holds events 1 to 2
      And replica 2 is asked from now on
      And the client attaches
      And the client receives everything so far
      And replica 1 is asked from now on
      And the stream has ended with the output {"answer":[42,null]}
      And replica 2 is asked from now on
      When client "B" attaches
      Then client "B" receives events 1 to 2
      And client "B" receives the end frame with the final output {"answer":[42,null]}, if any

  @helix.replicas.closed @must-not
  Rule: What is over takes nothing more

    Scenario Outline: Writing where the stream has not <finished>
      Given a stream that holds event 1
      And replica 2 is asked from now on
      And the writer writes event 2
      And replica 1 is asked from now on
      And the stream has <finished>
      And replica 2 is asked from now on
      When the writer tries to write
      Then the write is refused

      Examples:
        | finished |
        | ended    |
        | failed   |

  @helix.replicas.truncated @must @truncation
  Rule: Readers of another replica are told what was removed

    Scenario: A cleanup on the other replica
      Given a stream whose events are of steps 1, 2, 2
      And an attached client that must stay on its connection
      And the client receives everything so far
      And replica 2 is asked from now on
      When the stream is cleaned up to step 1
      Then the client receives a truncated frame that names step 1

    @reset
    Scenario: A reset on the other replica
      Given a stream that holds events 1 to 3
      And an attached client that must stay on its connection
      And the client receives everything so far
      And replica 2 is asked from now on
      When the stream is reset
      Then the client receives a truncated frame that names step 0

  @helix.replicas.removed @must-not @truncation
  Rule: What was removed is gone everywhere

    Scenario: Reading where it was read before
      Given a stream whose events are of steps 1, 2, 1
      And replica 2 is asked from now on
      And the client attaches
      And the client receives everything so far
      And replica 1 is asked from now on
      And the stream is cleaned up to step 1
      And replica 2 is asked from now on
      When client "B" attaches
      Then client "B" receives exactly events 1, 3

    @reset
    Scenario: Reading after a reset where it was read before
      Given a stream that holds events 1 to 3
      And replica 2 is asked from now on
      And the client attaches
      And the client receives everything so far
      And replica 1 is asked from now on
      And the stream is reset
      When replica 2 is asked from now on
      Then a fresh client receives no stored event

    @resume @no-transcript:megabytes-of-filler
    Scenario: Resuming where another reader lags behind
      Given a stream whose events are of steps 1
      And replica 2 is asked from now on
      And a stalled client
      And an attached client
      And replica 1 is asked from now on
      And the writer writes 128 events of 48 KiB of step 2
      And the client receives everything so far
      And the stream is cleaned up to step 1
      And the writer writes an event of step 1
      And replica 2 is asked from now on
      When client "B" resumes after event 100
      Then client "B" receives exactly event 130

  @helix.replicas.status @must @status
  Rule: Readers of another replica are told of a pause

    @no-transcript:a-server-may-close-at-a-pause
    Scenario: Pausing and going on on the other replica
      Given a stream that holds event 1
      And an attached client
      And the client receives everything so far
      And replica 2 is asked from now on
      And the stream is made paused
      And the client is told of the status paused
      When the stream is made active
      Then the client is told that the stream is active

    Scenario: Pausing on the other replica
      Given a stream that holds event 1
      And replica 2 is asked from now on
      And an attached client
      And the client receives everything so far
      And replica 1 is asked from now on
      When the stream is made paused
      Then the client receives the status paused

  @helix.replicas.survives @must
  Rule: The death of a replica takes nothing with it

    Scenario: Reading what a replica took that is dead
      Given a stream that holds event 1
      And replica 2 is asked from now on
      And the writer writes events 2 to 9
      And replica 2 is killed
      And replica 1 is asked from now on
      When the client attaches
      Then the client receives exactly events 1 to 9

    Scenario: A reader of a replica that dies goes on at another
      Given a stream that holds event 1
      And replica 2 is asked from now on
      And an attached client
      And the writer writes events 2 to 3
      And the client receives everything so far
      And replica 2 is killed
      And replica 1 is asked from now on
      When the writer writes events 4 to 6
      Then the client receives exactly events 4 to 6

    Scenario: A reader of another replica reads on
      Given a stream that holds event 1
      And an attached client that must stay on its connection
      And replica 2 is asked from now on
      And the writer writes events 2 to 3
      And replica 2 is killed
      And replica 1 is asked from now on
      When the writer writes event 4
      Then the client receives exactly events 2 to 4
