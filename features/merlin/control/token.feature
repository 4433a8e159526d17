Feature: The token of control calls

  @merlin.control.token @must-not
  Rule: A script without its token isn't played

    @v1
    Scenario: A script without the token in version 1
      When a client without the control token requests a V1 stream of:
        """
        the model sends the text "OBEYED"
        """
      Then the server says nothing of "OBEYED"

    @v2
    Scenario: A script without the token in version 2
      When a client without the control token requests a V2 stream of:
        """
        the model sends the text "OBEYED"
        """
      Then the server says nothing of "OBEYED"
