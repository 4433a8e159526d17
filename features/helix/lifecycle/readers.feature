Feature: Readers

  @helix.lifecycle.live @must
  Rule: A frame arrives when it is written

    Scenario: Each event is read before the next is written
      Given a stream that holds event 1
      And an attached client
      When the writer writes events 2 to 8, each after the client has received the one before
      Then nothing else reaches the client

  @helix.lifecycle.prompt @should
  Rule: A frame arrives within a second

    Scenario: The quickest of three events
      Given a stream that holds event 1
      And an attached client
      When the writer writes events 2 to 4, each after the client has received the one before
      Then the quickest of them came within 1 s

  @helix.lifecycle.late-reader @must
  Rule: A late reader gets what is stored and then what is live

    Scenario: Attaching to a stream that holds events
      Given a stream that holds events 1 to 5
      And the client attaches
      When the writer writes events 6 to 9
      Then the client receives exactly events 1 to 9

    Scenario: Going on live after the replay
      Given a stream that holds events 1 to 3
      And an attached client
      When the writer writes events 4 to 6, each after the client has received the one before
      Then nothing else reaches the client

    Scenario: Attaching while a writer writes
      Given a stream that holds events 1 to 10
      When the client attaches while events 11 to 40 are being written
      Then the client receives exactly events 1 to 40

  @helix.lifecycle.finished-replay @must
  Rule: A finished stream can still be read

    Scenario Outline: Reading a stream that has <finished>
      Given a stream that holds events 1 to 4
      And the stream has <finished>
      When the client attaches
      Then the client receives events 1 to 4
      And the client receives the <frame> frame

      Examples:
        | finished | frame |
        | ended    | end   |
        | failed   | fail  |

  @helix.lifecycle.kept @should
  Rule: A finished stream stays

    Scenario Outline: Reading some time after the stream has <finished>
      Given a stream that holds events 1 to 2
      And the stream has <finished>
      And nothing is written for the idle time
      When the client attaches
      Then the client receives events 1 to 2
      And the client receives the <frame> frame

      Examples:
        | finished | frame |
        | ended    | end   |
        | failed   | fail  |

  @helix.lifecycle.independent-readers @must
  Rule: Every reader gets every chunk

    Scenario: Three readers of one stream
      Given a stream that holds events 1 to 2
      And attached clients "A", "B", "C"
      When the writer writes events 3 to 8
      Then every client receives events 3 to 8
      And nothing else reaches every client

    Scenario Outline: Writing for a client that <came>
      Given a stream whose events are of steps 1, 2, 1
      And a client that <came>
      When the writer writes events 4 to 6
      Then the client receives events 4 to 6, whatever it was told before

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

  @helix.lifecycle.reader-disconnect @must-not
  Rule: A reader that goes leaves the others alone

    Scenario: Two of five readers disconnect
      Given a stream that holds events 1 to 2
      And attached clients "A", "B", "C", "D", "E"
      And client "B" disconnects
      And client "D" disconnects
      When the writer writes events 3 to 30, each after every client has received the one before
      Then nothing else reaches every client

    Scenario: One of three readers disconnects
      Given a stream that holds events 1 to 2
      And attached clients "A", "B", "C"
      And client "B" disconnects
      When the writer writes events 3 to 30, each after every client has received the one before
      Then nothing else reaches every client

    Scenario: The only reader disconnects
      Given a stream that holds events 1 to 2
      And an attached client
      And the client disconnects
      When the writer writes events 3 to 4
      Then a fresh client receives exactly events 1 to 4

  @helix.lifecycle.slow-reader @must @no-transcript:megabytes-of-filler
  Rule: A slow reader gets everything in the end

    Scenario: A reader that stalls for megabytes
      Given a new stream
      And a stalled client
      When the writer writes 128 events of 48 KiB
      Then the stalled client has received everything, on one connection or by resuming

    Scenario: The end of a stream under a reader that stalls
      Given a new stream
      And a stalled client
      And the writer writes 128 events of 48 KiB
      When the stream ends
      Then the stalled client has received everything, on one connection or by resuming
      And the stalled client receives the end frame

  @helix.lifecycle.stalled-reader @must-not @no-transcript:megabytes-of-filler
  Rule: A stalled reader delays nobody

    Scenario: Others read on while one stalls
      Given a stream that holds event 1
      And a stalled client
      And an attached client
      When the writer writes 128 events of 48 KiB
      Then the client has received everything, on one connection or by resuming
