Feature: What outlasts everything else

  These scenarios begin before all others and end after them. What they wait for is the run itself.

  @merlin.slices.complete @must @v1 @no-transcript:everything-else-runs-meanwhile
  Rule: A text goes on after a long wait

    Scenario: A slice that is sent first and the next one last
      Given a client requests a V1 stream of:
        """
        the model sends the text "One. "
        the script waits for "b"
        the model sends the text "Two."
        """
      And the client has "One. "
      And every other scenario of the run has ended
      When the stream passes "b"
      Then the text of the stream is "One. Two."

  @merlin.wire.live @must @no-transcript:everything-else-runs-meanwhile
  Rule: What was sent stays while the model waits

    @v2
    Scenario: A chunk before everything else
      Given a client requests a V2 stream of:
        """
        the model sends the text "One. "
        the script waits for "b"
        the model sends the text "Two."
        """
      When every other scenario of the run has ended
      Then the client has "One. " while the stream waits
