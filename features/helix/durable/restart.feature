@durable
Feature: A server that is killed and started again

  @helix.durable.kept @must
  Rule: What was accepted is there

    Scenario: Reading what was written one by one
      Given a stream that holds events 1 to 12
      And the server is killed and started again
      When the client attaches
      Then the client receives exactly events 1 to 12

    Scenario: Reading what was written in one call
      Given a stream that holds event 1
      And the writer writes events 2 to 40 in one call
      And the server is killed and started again
      When the client attaches
      Then the client receives exactly events 1 to 40

    Scenario: Reading after a second kill
      Given a stream that holds events 1 to 3
      And the server is killed and started again
      And the writer writes events 4 to 6
      And the server is killed and started again
      When the client attaches
      Then the client receives exactly events 1 to 6

  @helix.durable.resume @must @resume
  Rule: A reader goes on where it was

    Scenario: Going on with what is written after a restart
      Given a stream that holds events 1 to 5
      And an attached client
      And the client receives everything so far
      And the server is killed and started again
      When the writer writes events 6 to 8
      Then the client receives exactly events 6 to 8

    Scenario Outline: Resuming after event <last> after a restart
      Given a stream that holds events 1 to 5
      And the server is killed and started again
      When the client resumes after event <last>
      Then the client receives exactly events <next> to 5

      Examples:
        | last | next |
        | 1    | 2    |
        | 4    | 5    |

    Scenario: Three readers go on
      Given a stream that holds events 1 to 3
      And attached clients "A", "B", "C"
      And every client receives everything so far
      And the server is killed and started again
      When the writer writes events 4 to 5
      Then every client receives exactly events 4 to 5

  @helix.durable.whole @must @arrays
  Rule: A write is there whole and once, or not at all

    @no-transcript:what-is-stored-depends-on-the-moment-of-the-kill
    Scenario Outline: Killing the server while <writers> writers write arrays of <events>
      Given a stream that holds event 1
      And the server is killed and started again while <writers> writers write arrays of <events> events
      When the client attaches
      Then the client receives each of the arrays whole and once, or, if it was not answered, not at all

      Examples:
        | writers | events |
        | 1       | 50     |
        | 4       | 20     |
        | 8       | 3      |

  @helix.durable.sequences @must-not
  Rule: No sequence comes again

    Scenario: Writing after a restart
      Given a stream that holds events 1 to 4
      And the client attaches
      And the client receives everything so far
      When the server is killed and started again
      Then the next event gets a sequence above every id that was sent

    @reset
    Scenario: Writing after an end, a reset and a restart
      Given a stream that holds events 1 to 4
      And the client attaches
      And the client receives everything so far
      And the stream has ended
      And the client is told that it is over
      And a reset of the stream is asked for
      When the server is killed and started again
      Then the next event gets a sequence above every id that was sent, unless the reset was refused

  @helix.durable.finished @must
  Rule: A stream that is over stays over

    Scenario Outline: Reading a stream that has <finished> before a restart
      Given a stream that holds events 1 to 3
      And the stream has <finished>
      And the server is killed and started again
      When the client attaches
      Then the client receives events 1 to 3
      And the client receives the <frame> frame

      Examples:
        | finished | frame |
        | ended    | end   |
        | failed   | fail  |

    Scenario: Reading the output
      Given a stream that holds event 1
      And the stream has ended with the output {"answer":[42,null]}
      And the server is killed and started again
      When the client attaches
      Then the client receives event 1
      And the client receives the end frame with the final output {"answer":[42,null]}, if any

  @helix.durable.status @must @status @info
  Rule: A pause lasts

    Scenario: A stream that was paused
      Given a stream that holds events 1 to 2
      And the stream is made paused
      And the server is killed and started again
      When the info of the stream is asked for
      Then the info says the status "paused"

  @helix.durable.removed @must-not @truncation
  Rule: What was removed stays removed

    Scenario: Reading after a cleanup
      Given a stream whose events are of steps 1, 2, 1
      And the stream is cleaned up to step 1
      And the server is killed and started again
      When the client attaches
      Then the client receives exactly events 1, 3

    @reset
    Scenario: Reading after a reset
      Given a stream that holds events 1 to 3
      And the stream is reset
      When the server is killed and started again
      Then a fresh client receives no stored event

  @helix.durable.snapshot @must @snapshot
  Rule: A snapshot is whole again

    Scenario: The state of a stream
      Given a new stream
      And the state of the stream begins as {"list":["a"]}
      And the writer patches the state with [{"op":"add","path":"/list/-","value":"b"}]
      And the server is killed and started again
      When a snapshot of the stream with partial content is asked for
      Then the snapshot holds the state {"list":["a","b"]}

  @helix.durable.runs @must @runtime @supersede
  Rule: A run goes on from what was committed

    Scenario: A server is killed in the second step of a run
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By "},{"await":"model"},{"text":"sea. "}]
        [{"text":"Four days."}]
        """
      And the run is settled
      And the server is killed and started again
      And another executor takes the run over
      And barrier "model" is released
      And the run is settled
      When the client attaches
      Then the client receives 1 chunk with {"type":"stream_resync","reason":"crash_recovery"}
      And for a fresh client the text of the agent is "Let me see. By sea. Four days."
