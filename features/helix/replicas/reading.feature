@replicas
Feature: What is written on one replica is read on another

  @helix.replicas.live @must
  Rule: Readers of another replica hear of it

    Scenario: A reader on the first replica and a writer on the second
      Given a stream that holds event 1
      And an attached client
      And the client receives everything so far
      And replica 2 is asked from now on
      When the writer writes events 2 to 5
      Then the client receives exactly events 2 to 5

    Scenario: A reader on the second replica and a writer on the first
      Given a stream that holds event 1
      And replica 2 is asked from now on
      And an attached client
      And the client receives everything so far
      And replica 1 is asked from now on
      When the writer writes events 2 to 5
      Then the client receives exactly events 2 to 5

    Scenario: Readers everywhere
      Given a stream that holds event 1
      And attached clients "A", "B"
      And replica 2 is asked from now on
      And attached clients "C", "D"
      And every client receives everything so far
      When the writer writes events 2 to 3
      Then every client receives exactly events 2 to 3

  @helix.replicas.sequences @must
  Rule: There is one counter

    @no-transcript:the-order-of-concurrent-writers-is-theirs
    Scenario: Writers on both replicas, and a reader on each
      Given a new stream
      And client "A" attaches
      And replica 2 is asked from now on
      And client "B" attaches
      When 4 writers write 20 events each at the same time, on 2 replicas
      Then every client receives every one of them once, each writer's in its order
      And every client has received the same order with the same sequences

    Scenario: Going on with a stream that was begun elsewhere
      Given a stream that holds events 1 to 3
      And client "A" attaches
      And replica 2 is asked from now on
      And the writer writes events 4 to 5
      And client "B" attaches
      And every client receives events 1 to 5 first
      When the writer writes event 6
      Then every client receives event 6
      And every client has received the same order with the same sequences

  @helix.replicas.order @must
  Rule: What was written later is behind

    @no-transcript:the-order-of-concurrent-writers-is-theirs
    Scenario Outline: <writers> writers race on both replicas <until>
      Given a stream that holds event 1
      When <writers> writers race to write <events> events each on 2 replicas<end>
      Then there is an order of these calls in which each was answered as it was

      Examples:
        | writers | events | until             | end                                  |
        | 4       | 12     | for themselves    |                                      |
        | 6       | 20     | for themselves    |                                      |
        | 4       | 12     | until one ends it | , and the stream ends in their midst |

  @helix.replicas.whole @must @arrays
  Rule: A write stays in one piece

    @no-transcript:the-order-of-concurrent-writers-is-theirs
    Scenario Outline: <writers> writers write arrays of <events> on both replicas
      Given a stream that holds event 1
      And <writers> writers write 5 arrays of <events> events each at the same time, on 2 replicas
      When the client attaches
      Then the client receives each of the arrays whole and once, or, if it was not answered, not at all

      Examples:
        | writers | events |
        | 2       | 40     |
        | 6       | 10     |

  @helix.replicas.info @must @info
  Rule: StreamInfo of a replica has what its readers have received

    Scenario Outline: The <member> where a reader has received events 3 to 5
      Given a stream that holds events 1 to 2
      And replica 2 is asked from now on
      And an attached client
      And replica 1 is asked from now on
      And the writer writes events 3 to 5
      And the client receives everything so far
      And replica 2 is asked from now on
      When the info of the stream is asked for
      Then <shown>

      Examples:
        | member          | shown                                              |
        | latest sequence | the latest sequence of the info is that of event 5 |
        | chunk count     | the info counts 5 chunks                           |

    @status
    Scenario: The status that a reader has received
      Given a stream that holds event 1
      And replica 2 is asked from now on
      And an attached client
      And replica 1 is asked from now on
      And the stream is made paused
      And the client is told of the status paused
      And replica 2 is asked from now on
      When the info of the stream is asked for
      Then the info says the status "paused"

  @helix.replicas.snapshot @must @snapshot
  Rule: A snapshot of a replica has the patches that its readers have received

    Scenario: A patch that was written on the other replica
      Given a new stream
      And the state of the stream begins as {"list":["a"]}
      And replica 2 is asked from now on
      And an attached client
      And a snapshot of the stream with partial content is asked for
      And replica 1 is asked from now on
      And the writer patches the state with [{"op":"add","path":"/list/-","value":"b"}]
      And the client receives everything so far
      And replica 2 is asked from now on
      When a snapshot of the stream with partial content is asked for
      Then the snapshot holds the state {"list":["a","b"]}

  @helix.replicas.resume @must @resume
  Rule: A reader goes on at another replica

    Scenario Outline: Resuming after event <last> on the other replica
      Given a stream that holds events 1 to 5
      And replica 2 is asked from now on
      When the client resumes after event <last>
      Then the client receives exactly events <next> to 5

      Examples:
        | last | next |
        | 1    | 2    |
        | 4    | 5    |

    Scenario: Resuming what was written on both
      Given a stream that holds events 1 to 2
      And an attached client
      And the client is cut after event 2
      And the writer writes events 3 to 4
      And replica 2 is asked from now on
      And the writer writes event 5
      When the client resumes after event 2
      Then the client receives exactly events 3 to 5
