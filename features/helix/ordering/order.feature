Feature: The order of a stream

  @helix.ordering.ascending @must
  Rule: Sequences increase

    Scenario: Reading across the step from one digit to two
      Given a stream that holds events 1 to 8
      And an attached client
      When the writer writes events 9 to 12
      Then the client receives events 9 to 12
      And no exchange of this scenario breaks this rule

    Scenario: Reading again from the start
      Given a stream that holds events 1 to 12
      When the client attaches
      Then the client receives events 1 to 12
      And no exchange of this scenario breaks this rule

  @helix.ordering.at-least-one @must
  Rule: No chunk has the sequence 0

    Scenario: The first chunks of a stream
      Given a stream that holds events 1 to 3
      When the client attaches
      Then the client receives events 1 to 3
      And no exchange of this scenario breaks this rule

    Scenario: A first chunk that is written while a client is attached
      Given a new stream
      And an attached client
      When the writer writes event 1
      Then the client receives event 1
      And no exchange of this scenario breaks this rule

  @helix.ordering.write-order @must
  Rule: A writer's chunks keep their order

    Scenario: Single writes
      Given a stream that holds event 1
      And an attached client
      When the writer writes events 2 to 13
      Then the client receives events 2 to 13

    Scenario: An array in one call
      Given a stream that holds event 1
      And an attached client
      When the writer writes events 2 to 13 in one call
      Then the client receives events 2 to 13

    Scenario: Arrays and single writes, read later
      Given a stream that holds event 1
      And the writer writes events 2 to 5 in one call
      And the writer writes event 6
      And the writer writes events 7 to 11 in one call
      When the client attaches
      Then the client receives exactly events 1 to 11

  @helix.ordering.total-order @must @no-transcript:concurrent-writers
  Rule: All readers see one order

    Scenario: Three readers while two writers write at once
      Given a new stream
      And attached clients "A", "B", "C"
      When 2 writers write 10 events each at the same time
      Then every client receives every one of them once, each writer's in its order
      And every client has received the same order with the same sequences

    Scenario: A reader that was there and one that comes later
      Given a new stream
      And attached clients "A"
      When 2 writers write 10 events each at the same time
      Then every client receives every one of them once, each writer's in its order
      And a fresh client receives every one of them once, each writer's in its order
      And every client has received the same order with the same sequences

  @helix.ordering.distinct-sequences @must @no-transcript:concurrent-writers
  Rule: Concurrent writes get sequences of their own

    Scenario: Four writers at once
      Given a new stream
      And an attached client
      When 4 writers write 25 events each at the same time
      Then the client receives every one of them once, each writer's in its order
