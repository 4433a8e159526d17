@reset
Feature: Resetting a stream

  @helix.truncation.reset-empties @must
  Rule: A reset removes everything

    Scenario: Resetting a stream with and without steps
      Given a stream whose events are of steps none, 1, 2
      When the stream is reset
      Then a fresh client receives no stored event

  @helix.truncation.reset-reopens @must
  Rule: A reset stream is active

    Scenario: Resetting an active stream
      Given a stream that holds events 1 to 2
      When a reset of the stream is asked for
      Then the stream takes and delivers a new event, unless the reset was refused

    Scenario Outline: Resetting a stream that has <finished>
      Given a stream that holds events 1 to 2
      And the stream has <finished>
      When a reset of the stream is asked for
      Then the stream takes and delivers a new event, unless the reset was refused

      Examples:
        | finished |
        | ended    |
        | failed   |

  @helix.truncation.reset-notifies @must
  Rule: Attached readers are told of a reset

    Scenario: A reader of a stream that is reset
      Given a stream whose events are of steps 1, none
      And an attached client
      When the stream is reset
      Then the client receives a truncated frame that names step 0

    Scenario Outline: Resetting under a client that <came>
      Given a stream whose events are of steps 1, 2, 1
      And a client that <came>
      And the client reads along
      When the stream is reset
      Then the client receives a truncated frame that names step 0

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

  @helix.truncation.reset-sequence @must
  Rule: Sequences go on after a reset

    Scenario: Resetting an active stream that was read
      Given a stream that holds events 1 to 3
      And an attached client
      When the stream is reset
      Then the next event gets a sequence above every id that was sent

    Scenario Outline: Resetting after the terminal frame was sent by a stream that has <finished>
      Given a stream that holds events 1 to 3
      And an attached client
      And the stream has <finished>
      And the client is told that it is over
      When a reset of the stream is asked for
      Then the next event gets a sequence above every id that was sent, unless the reset was refused

      Examples:
        | finished |
        | ended    |
        | failed   |
