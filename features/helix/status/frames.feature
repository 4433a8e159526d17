@status
Feature: Status frames

  @helix.status.frames @must
  Rule: Attached readers are told of a pause and of its end

    Scenario: Pausing under a reader
      Given a stream that holds events 1 to 2
      And an attached client
      When the stream is made paused
      Then the client receives the status paused

    Scenario: Going on under two readers
      Given a stream that holds events 1 to 2
      And attached clients "A", "B"
      And the stream is made paused
      And every client is told of the status paused
      When the stream is made active
      Then every client is told that the stream is active

    @reset
    Scenario: A reset that removes nothing ends a pause
      Given a new stream
      And an attached client
      And the stream is made paused
      And the client is told of the status paused
      When the stream is reset
      Then the client is told that the stream is active

    Scenario Outline: Pausing under a client that <came>
      Given a stream whose events are of steps 1, 2, 1
      And a client that <came>
      And the client reads along
      When the stream is made paused
      Then the client receives the status paused

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

  @helix.status.no-terminal @must-not
  Rule: A pause is no end

    Scenario: Pausing and writing on
      Given a stream that holds event 1
      And an attached client
      And the stream is made paused
      And the stream is made active
      When the writer writes event 2
      Then the client receives exactly event 2

    Scenario: Attaching to a paused stream
      Given a stream that holds events 1 to 2
      And the stream is made paused
      When the client attaches
      Then the client receives exactly events 1 to 2

  @helix.status.attach-paused @should
  Rule: A reader that comes to a paused stream is told

    Scenario: Attaching during a pause
      Given a stream that holds events 1 to 2
      And the stream is made paused
      When the client attaches
      Then the client receives events 1 to 2
      And the client receives the status paused

    Scenario: Resuming during a pause
      Given a stream that holds events 1 to 3
      And the stream is made paused
      When the client resumes after event 2
      Then the client receives event 3
      And the client receives the status paused

  @helix.status.not-stored @must-not
  Rule: A status is not history

    Scenario: Reading after a pause is over
      Given a stream that holds events 1 to 2
      And an attached client
      And the stream is made paused
      And the client is told of the status paused
      And the stream is made active
      When the writer writes event 3
      Then a fresh client receives no status frame

  @helix.status.no-id @must-not
  Rule: A status frame is not a position

    Scenario: The id of a status frame
      Given a stream that holds events 1 to 2
      And an attached client
      When the stream is made paused
      Then the client receives the status paused
      And no exchange of this scenario breaks this rule

  @helix.status.no-repeat @should-not
  Rule: The same status is not sent twice in a row

    Scenario: Pausing twice
      Given a stream that holds event 1
      And an attached client
      And the stream is made paused
      When a call asks to make the stream paused
      Then nothing else reaches the client
      And no exchange of this scenario breaks this rule

  @helix.status.written-while-paused @must
  Rule: What is written during a pause is delivered

    Scenario: Writing during a pause
      Given a stream that holds event 1
      And an attached client
      And the stream is made paused
      And the writer writes events 2 to 3
      When the stream is made active
      Then the client receives exactly events 2 to 3

    Scenario: Reading later what was written during a pause
      Given a stream that holds event 1
      And the stream is made paused
      And the writer writes events 2 to 3
      And the stream is made active
      When the client attaches
      Then the client receives exactly events 1 to 3
